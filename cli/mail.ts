import type { Command } from 'commander';
import { MAIL_STATE_LABELS } from '../server/services/mails/mail.ts';
import { keysOf } from '../shared/record-fields.ts';
import {
  addExamples,
  type CommandOptions,
  createActingUserFlag,
  declareCommand,
  formatJson,
  formatTable,
  JSON_FLAG,
  truncate,
} from './command.ts';
import { type Runtime, withDatabase } from './runtime.ts';

const MAX_LISTED_MAILS = 1000;

export function addMailCommands(mail: Command, runtime: Runtime): void {
  const retrying = 'saldo mail retry 12 --as ana.ruiz';
  addExamples(mail, 'saldo mail list --estado fallo', retrying);

  declareCommand(
    mail,
    'list',
    'la bandeja de salida, el último primero',
    [['--estado <estado>', 'espera, enviado o fallo'], JSON_FLAG],
    'saldo mail list --estado fallo',
  ).action(({ json, estado: asked }: CommandOptions & { estado?: string }) =>
    withDatabase(runtime, {}, async ({ db }) => {
      const { searchMails } = await import('../server/services/mails/reading.ts');
      const { choiceField, parseShape } = await import('../server/shapes/fields.ts');
      const { mailAnswer } = await import('../server/shapes/mails.ts');
      const estado = parseShape(choiceField('estado', keysOf(MAIL_STATE_LABELS)), asked);
      const { rows } = await searchMails(db, { estado, direction: 'desc', limit: MAX_LISTED_MAILS });
      if (json) return runtime.print(formatJson(rows.map(mailAnswer.toJson)));
      const cells = rows.map(({ id, createdAt, suppliername, para, estado: state, respuesta }) => [
        String(id),
        createdAt.slice(0, 16),
        truncate(suppliername, 20),
        truncate(para, 28),
        MAIL_STATE_LABELS[state],
        truncate(respuesta ?? '', 40),
      ]);
      const headings = ['Id', 'Pedido (UTC)', 'Proveedor', 'Para', 'Estado', 'Respuesta'];
      runtime.print(formatTable(headings, cells, new Set([0])));
    }),
  );

  declareCommand(
    mail,
    'retry <id>',
    'intenta otra vez un correo que no salió; lo envía el servidor',
    [createActingUserFlag('mail'), JSON_FLAG],
    retrying,
  ).action((id: string, { as, json }: CommandOptions) =>
    withDatabase(runtime, { as, area: 'mail' }, async ({ db, actor }) => {
      const { retryMail } = await import('../server/services/mails/delivering.ts');
      const { parseId } = await import('../server/shapes/fields.ts');
      const { mailAnswer } = await import('../server/shapes/mails.ts');
      const retried = await retryMail(db, actor, parseId(id));
      runtime.print(
        json ? formatJson(mailAnswer.toJson(retried)) : `${retried.id}: ${retried.asunto}, en espera\n`,
      );
    }),
  );
}
