import { expect } from 'vitest';
import type { Db } from '../../db/schema.ts';
import {
  createAccount,
  deleteAccount,
  updateAccount,
} from '../../server/services/supplier-accounts/accounts.ts';
import { rules, warningRules } from '../../server/services/supplier-accounts/write.ts';
import { accountTexts } from '../../shared/supplier-accounts.ts';
import { pages } from '../../shared/urls.ts';
import { addAccount, clabeOf } from '../support/accounts.ts';
import { INVISIBLE_TEXT } from '../support/invisible.ts';
import { addActor, addSupplier, TODAY } from '../support/rows.ts';
import { readRows } from '../support/stored.ts';
import {
  type Clients,
  type Door,
  drive,
  refusals,
  responseOfApi,
  responseOfForm,
  signIn,
  TABLES,
  tableDoors,
  tableLines,
  UNKNOWN,
} from './doors.ts';

interface Typed {
  clabe?: string;
  titular?: string;
  supplier?: 'unknown' | 'none';
  confirms?: true;
  seen?: string;
}

interface Fixture extends Clients {
  supplierId: number;
  suppliername: string;
  id: number;
}

const CLABE = '032180000118359719';
const OTHER = '012180004643051249';
const ACEROS = { clabe: CLABE, titular: 'Aceros SA' };
let count = 0;

async function open(db: Db): Promise<Fixture> {
  await db.deleteFrom('supplier_accounts').execute();
  const suppliername = `Aceros ${++count}`;
  return {
    ...(await signIn(db)),
    supplierId: await addSupplier(db, { suppliername }),
    suppliername,
    id: 0,
  };
}

const addressOf = ({ supplierId }: Fixture, { supplier }: Typed) =>
  `/api/suppliers/${supplier ? UNKNOWN : supplierId}/cuentas`;

const form: Door<Fixture, Typed> = {
  hasNoCodes: true,
  unsupported: ['supplier', 'confirms'],
  send: ({ browser, supplierId }, { clabe, titular }) =>
    responseOfForm(browser, browser.form(pages.supplierAccounts(supplierId), { clabe, titular })),
};

const api: Door<Fixture, Typed> = {
  unsupported: ['confirms'],
  send: (fixture, { clabe, titular, ...draft }) =>
    responseOfApi(fixture.script.post(addressOf(fixture, draft), { clabe, titular })),
};

/** Edits another account to match the draft; a different user captured it if the draft confirms it. */
const edit: Door<Fixture, Typed> = {
  async arrange(fixture, { confirms }) {
    const { db, by, supplierId } = fixture;
    const author = confirms ? await addActor(db) : by;
    fixture.id = (await createAccount(db, author, supplierId, { clabe: OTHER, titular: 'Otro' })).account.id;
  },
  send: (fixture, { clabe, titular, confirms: confiable, seen: version, ...draft }) =>
    responseOfApi(
      fixture.script.put(`${addressOf(fixture, draft)}/${fixture.id}`, {
        clabe,
        titular,
        confiable,
        version,
      }),
    ),
};

const { table, preview } = tableDoors<Fixture, Typed>(
  'cuentas',
  ({ suppliername }, { clabe = '', titular = '', supplier }) => {
    const name = { own: suppliername, unknown: 'Nadie', none: '' }[supplier ?? 'own'];
    const first = supplier === 'none' || clabe === '' ? [[suppliername, clabeOf('072', 1), 'Uno']] : [];
    return tableLines('Proveedor,CLABE,Titular', ...first, [name, clabe, titular]);
  },
  { unsupported: ['confirms', 'seen'] },
);

const NEW = ['form', 'api', ...TABLES] as const;

drive<Fixture, Typed>('supplier accounts', {
  rules: [...rules, ...warningRules].map(({ name }) => name),
  open,
  doors: { form, api, edit, table, preview },
  read: ({ db }) => readRows(db, 'supplier_accounts'),
  defaults: ({ supplierId, by: { userId } }) => ({
    supplierId,
    ...ACEROS,
    createdBy: userId,
    editedBy: userId,
    changedOn: TODAY,
    trustedBy: null,
  }),
  cases: {
    'with every field, cleaned': {
      draft: { clabe: '032 180 0001 1835 9719', titular: '  Aceros   SA ' },
    },
    'with invisible characters': {
      draft: {
        clabe: `032180${INVISIBLE_TEXT}000118–359719\u200e`,
        titular: `Ace${INVISIBLE_TEXT}ros SA${INVISIBLE_TEXT}`,
      },
    },
    ...refusals('all', {
      refuseInvalidFields: {
        'with an invalid CLABE': [
          { clabe: '1234', titular: 'Aceros SA' },
          'La CLABE lleva 18 dígitos; tiene 4.',
        ],
        'without a holder': [{ clabe: CLABE, titular: '' }, accountTexts.noHolder],
      },
      refuseInvalidTexts: {
        'with a holder whose name is too long': [
          { clabe: CLABE, titular: 'x'.repeat(201) },
          'Titular: máximo 200 caracteres.',
        ],
      },
    }),
    ...refusals(NEW, {
      refuseInvalidFields: {
        'without a CLABE': [{ titular: 'Aceros SA' }, 'La CLABE lleva 18 dígitos; tiene 0.'],
      },
    }),
    'of an unknown supplier': {
      rule: 'refuseUnknownSupplier',
      draft: { ...ACEROS, supplier: 'unknown' },
      refused: `No existe el proveedor ${UNKNOWN}.`,
      code: 'not_found',
      by: ['api', ...TABLES],
      inOtherWords: { table: /No existe el proveedor «Nadie»/ },
    },
    ...refusals(TABLES, {
      refuseUnknownSupplier: {
        'without a supplier': [{ ...ACEROS, supplier: 'none' }, 'Falta el proveedor.'],
      },
    }),
    'that does not exist': {
      rule: 'refuseMissingRow',
      draft: { titular: 'Aceros SA' },
      given: ({ db, by, ...place }) => deleteAccount(db, by, place),
      refused: ({ supplierId, id }) => `El proveedor ${supplierId} no tiene la cuenta ${id}.`,
      code: 'not_found',
      by: ['edit'],
    },
    'that the supplier already has': {
      rule: 'refuseDuplicateClabe',
      draft: ACEROS,
      given: ({ db, by, supplierId }) => createAccount(db, by, supplierId, { clabe: CLABE, titular: 'X' }),
      refused: accountTexts.taken,
      code: 'account_exists',
      by: ['form', 'api', 'edit'],
    },
    'that is on file with another holder': {
      rule: 'skipOrRefuseStored',
      draft: ACEROS,
      given: ({ db, by, supplierId }) => createAccount(db, by, supplierId, { clabe: CLABE, titular: 'X' }),
      refused: ({ suppliername }) =>
        `La cuenta ${CLABE} de «${suppliername}» ya está con otros datos: es un conflicto (titular: «X»; en este archivo «Aceros SA»).`,
      by: TABLES,
    },
    'that is on file with the same data': {
      draft: ACEROS,
      given: ({ db, by, supplierId }) => createAccount(db, by, supplierId, ACEROS),
      by: TABLES,
    },
    'that an edit leaves unchanged': {
      rule: 'skipUnchanged',
      draft: { titular: 'Otro', seen: '7' },
      stored: { clabe: OTHER, titular: 'Otro' },
      by: ['edit'],
    },
    'that somebody else has changed meanwhile': {
      rule: 'refuseStaleVersion',
      draft: { titular: 'Aceros SA', seen: '1' },
      given: ({ db, by, ...place }) => updateAccount(db, by, place, { titular: 'X' }),
      refused: accountTexts.stale,
      code: 'stale',
      by: ['edit'],
    },
    'confirmed by another person': {
      draft: { confirms: true, seen: '1' },
      stored: {
        clabe: OTHER,
        titular: 'Otro',
        createdBy: expect.any(Number),
        editedBy: expect.any(Number),
        trustedBy: expect.any(Number),
      },
      by: ['edit'],
    },
    'confirmed by another person without the version that was seen': {
      draft: { confirms: true },
      refused: 'Falta la versión que se revisó.',
      by: ['edit'],
    },
    'confirmed by whoever changed it': {
      rule: 'refuseOwnConfirmation',
      draft: { confirms: true, titular: 'Aceros SA', seen: '1' },
      refused: accountTexts.samePerson,
      code: 'same_person',
      by: ['edit'],
    },
    'confirmed by a user without the right': {
      rule: 'refuseUnauthorizedTrust',
      draft: { confirms: true, seen: '1' },
      given: async (fixture) => {
        fixture.script = (await signIn(fixture.db, 6)).script;
      },
      refused: accountTexts.mayNotTrust,
      code: 'forbidden',
      by: ['edit'],
    },
    'of an unknown bank': {
      rule: 'warnOfUnknownBank',
      draft: { clabe: clabeOf('999', 7), titular: 'Aceros SA' },
      stored: { clabe: clabeOf('999', 7) },
      warns: () => [accountTexts.unknownBank('999')],
    },
    'that another supplier has': {
      rule: 'warnOfSharedAccount',
      draft: ACEROS,
      given: ({ db }) =>
        addSupplier(db, { suppliername: 'Moro' }).then((supplierId) =>
          addAccount(db, { supplierId, clabe: CLABE }),
        ),
      warns: () => [accountTexts.shared('Moro')],
      by: ['form', 'api'],
    },
  },
});
