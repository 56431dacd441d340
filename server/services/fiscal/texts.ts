import { formatCount, joinFirst, pluralize } from '../../../shared/counts.ts';
import { DomainError } from '../../../shared/errors.ts';

const MAX_LISTED_ITEMS = 5;

type MetadataCounts = Record<'filas' | 'nuevos' | 'cambiados' | 'cancelados', number>;

export const fiscalTexts = {
  rfcMissing: 'Falta el RFC de la empresa, en Configuración: sin él no se sabe qué CFDI son suyos.',
  unknownUuid: (uuid: string) => `Los metadatos cargados no traen el CFDI ${uuid}.`,
  incompleteLink: 'Se liga una factura (facturaproveedorId) con un CFDI (uuid): faltan los dos, o uno.',
  doesNotFit: 'La factura ya no corresponde a ese CFDI: cambió su RFC, su total o su fecha, o se canceló.',
  linked: 'Se ligó la factura con su CFDI.',
  loaded: ({ filas, nuevos, cambiados, cancelados }: MetadataCounts) =>
    `${pluralize(filas, 'CFDI leído', 'CFDI leídos')}: ${pluralize(nuevos, 'nuevo', 'nuevos')}, ${formatCount(cambiados)} con novedades.${cancelados > 0 ? ` ${cancelados === 1 ? 'Uno que está en Saldo está cancelado' : `${formatCount(cancelados)} que están en Saldo están cancelados`}.` : ''}`,
  missingFile: 'Elige el archivo de metadatos.',
  noDocuments: 'El archivo no trae ningún CFDI.',
  rowsNotRead: (count: number, problems: readonly string[]) =>
    `${count === 1 ? 'Un renglón no se entiende y se dejó' : `${formatCount(count)} renglones no se entienden y se dejaron`} fuera: ${joinFirst(problems, MAX_LISTED_ITEMS)}`,
  contradicting: (uuids: readonly string[]) =>
    `${uuids.length === 1 ? 'Un CFDI trae' : `${formatCount(uuids.length)} CFDI traen`} otro RFC, fecha, monto o efecto que el ya conocido de su UUID, que se queda: ${joinFirst(uuids, MAX_LISTED_ITEMS)}.`,
};

export const missingMetadataFileError = (): DomainError =>
  new DomainError('invalid', fiscalTexts.missingFile, { fields: { file: fiscalTexts.missingFile } });
