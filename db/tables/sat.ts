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
    /** the latest day that the file mentions; what happened after it is unknown */
    visto: PlainDate;
    /** null: it was loaded by the command line in nobody's name */
    userId: number | null;
    createdAt: Instant;
    /** null: the load was broken off, and the file has to be loaded again */
    finishedAt: Instant | null;
  };
  /** A CFDI as the SAT lists it, whether or not it is stored here. */
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
    /** the earliest day on which a file lists it as cancelled; a cancellation is final */
    canceladoVisto: PlainDate | null;
    fechaCancelacion: PlainDate | null;
  };
  /** The SAT's lists of taxpayers with false invoices (CFF 69-B) that were loaded. */
  sat_69b_loads: {
    id: Generated<number>;
    corte: PlainDate;
    filename: string;
    sha256: string;
    filas: number;
    /** null: it was loaded by the command line in nobody's name */
    userId: number | null;
    createdAt: Instant;
  };
  /** A taxpayer's situation, with the cut dates of the first and the last list that state it. */
  sat_69b: {
    rfc: string;
    nombre: string;
    situacion: 'definitivo' | 'presunto' | 'desvirtuado' | 'favorable';
    /** the first day on which the taxpayer was published as presunto; null: the list states none */
    presunto: PlainDate | null;
    definitivo: PlainDate | null;
    vistoDesde: PlainDate;
    vistoHasta: PlainDate;
  };
}
