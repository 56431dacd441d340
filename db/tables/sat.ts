import type { Generated } from 'kysely';
import type { Instant, PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';

export interface SatTables {
  sat_loads: {
    id: Generated<number>;
    filename: string;
    sha256: string;
    filas: number;
    /** the first and the last issue day of its documents */
    desde: PlainDate;
    hasta: PlainDate;
    /** the latest day that the file names, so that it knows no later one */
    visto: PlainDate;
    /** null: it was loaded by the command line in nobody's name */
    userId: number | null;
    createdAt: Instant;
    /** null: the load was broken off, and the file has to be loaded again */
    finishedAt: Instant | null;
  };
  /** A document of the SAT, with or without a row of ours with its UUID. */
  sat_documents: {
    uuid: string;
    rfcEmisor: string;
    nombreEmisor: string;
    rfcReceptor: string;
    fecha: PlainDate;
    /** the total in the document's own currency */
    montoCents: Cents;
    efecto: 'I' | 'E' | 'P' | 'N' | 'T';
    /** the latest day on which a file has it as valid */
    vigenteVisto: PlainDate | null;
    /** the earliest day on which a file has it as cancelled, which is for good */
    canceladoVisto: PlainDate | null;
    fechaCancelacion: PlainDate | null;
  };
}
