export const METADATA_HEADER =
  'Uuid~RfcEmisor~NombreEmisor~RfcReceptor~NombreReceptor~RfcPac~FechaEmision~FechaCertificacionSat~Monto~EfectoComprobante~Estatus~FechaCancelacion';

export interface MetadataLine {
  uuid: string;
  rfc?: string;
  nombre?: string;
  receptor?: string;
  fecha?: string;
  monto?: string;
  efecto?: string;
  estatus?: string;
  cancelado?: string;
}

export const OWN_RFC = 'CON150101AB1';

export const createMetadataUuid = (n: number): string =>
  `${n.toString(16).padStart(8, '0').toUpperCase()}-1111-4222-8333-444455556666`;

export const formatMetadataLine = ({
  uuid,
  rfc = 'ACE010203AB4',
  nombre = 'Aceros Tepeyac',
  receptor = OWN_RFC,
  fecha = '2026-10-05',
  monto = '1160.00',
  efecto = 'I',
  cancelado = '',
  estatus = cancelado ? '0' : '1',
}: MetadataLine): string =>
  [
    ...[uuid, rfc, nombre, receptor, 'Constructora Ejemplo', 'SAT970701NN3'],
    ...[
      `${fecha} 10:15:00`,
      `${fecha} 10:15:30`,
      monto,
      efecto,
      estatus,
      cancelado && `${cancelado} 09:00:00`,
    ],
  ].join('~');

export const formatMetadata = (lines: readonly (MetadataLine | string)[], header = METADATA_HEADER): string =>
  [header, ...lines.map((line) => (typeof line === 'string' ? line : formatMetadataLine(line)))].join('\r\n');

export const buildMetadataFile = (lines: readonly (MetadataLine | string)[], filename = 'metadatos.txt') => ({
  filename,
  bytes: Buffer.from(formatMetadata(lines)),
});
