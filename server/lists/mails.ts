import { pages } from '../../shared/urls.ts';
import { MAIL_SORTS, MAIL_STATE_LABELS, type Mail, type MailSort } from '../services/mails/mail.ts';
import { supplierFilter } from './catalog-filters.ts';
import { choiceFilter, type Filter } from './filter.ts';
import type { List } from './list.ts';

const filters = [
  choiceFilter('estado', 'Estado', MAIL_STATE_LABELS, {
    flag: ['--estado <estado>', 'espera, enviado o fallo'],
  }),
  supplierFilter,
] as const satisfies readonly Filter[];

export const mailList: List<typeof filters, MailSort> = {
  title: 'Correos',
  noun: ['correo', 'correos'],
  page: pages.mails,
  area: 'mail',
  help: 'correos',
  filters,
  sorts: MAIL_SORTS,
  openingView: { sort: 'createdAt', newestFirst: true },
  command: { name: 'correos', description: 'los correos a proveedores, sin sus documentos' },
  async readExport(query, { db, timeZone }) {
    // Imported here, because this module loads the database's package, which the command line's help does not need.
    const { createSheetColumns, exportFromSearch } = await import('../formats/sheets/sheet.ts');
    const { formatMoment } = await import('../services/exports/export-texts.ts');
    const { countMails, searchMails } = await import('../services/mails/reading.ts');
    const { mailAnswer } = await import('../shapes/mails.ts');
    return exportFromSearch<Mail>(query, {
      columns: createSheetColumns([
        { name: 'id', heading: 'ID' },
        {
          name: 'createdAt',
          heading: 'Pedido',
          cell: ({ createdAt }) => formatMoment(new Date(createdAt), timeZone),
        },
        { name: 'suppliername', heading: 'Proveedor', key: true },
        { name: 'para', heading: 'Para' },
        { name: 'asunto', heading: 'Asunto' },
        { name: 'estado', heading: 'Estado', cell: ({ estado }) => MAIL_STATE_LABELS[estado] },
        { name: 'intentos', heading: 'Intentos' },
        { name: 'respuesta', heading: 'Respuesta' },
        { name: 'pedidopor', heading: 'Pedido por', cell: ({ username }) => username },
      ]),
      search: (page) => searchMails(db, { ...query, ...page }),
      count: () => countMails(db, query),
      toRecords: (mails) => mails.map(mailAnswer.toJson),
    });
  },
};
