import { Hono } from 'hono';
import { z } from 'zod';
import { pages } from '../../../shared/urls.ts';
import { idInPath } from '../../http/request.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { adviceExport } from '../../services/exports/payment-advice.ts';
import { readAdvice } from '../../services/statements/advice.ts';
import { dateField } from '../../shapes/fields.ts';
import { answerExport } from '../ui/export-answers.tsx';
import { parseListQuery } from '../ui/lists.tsx';

const ID = ':id{[0-9]+}';
const TITLE = 'Aviso de pago';

const dayShape = z.strictObject({ fecha: dateField('Fecha') });

/** A payment, or all that a supplier was paid on a day, as a letter to it. */
export const advicePages = new Hono<AppEnv>({ strict: false })
  .get(pages.paymentAdvice(ID), (c) => sendAdvice(c, () => ({ paymentIds: [idInPath(c)] })))
  .get(pages.supplierAdvice(ID), (c) =>
    sendAdvice(c, () => ({
      supplierId: idInPath(c),
      date: parseListQuery(c, dayShape).fecha ?? c.get('today'),
    })),
  );

const sendAdvice = (c: AppContext, asked: () => Parameters<typeof readAdvice>[1]) =>
  answerExport(c, { title: TITLE, format: 'pdf' }, async () =>
    adviceExport(await readAdvice(c.get('deps').db, asked())),
  );
