import type { Catalog } from './catalog.ts';
import { clients } from './clients.ts';
import { fundingSources } from './funding-sources.ts';
import { jobs } from './jobs.ts';
import { rubros } from './rubros.ts';
import { suppliers } from './suppliers.ts';

const CATALOG_DEFINITIONS = [suppliers, clients, jobs, rubros, fundingSources] as const;

export type CatalogName = (typeof CATALOG_DEFINITIONS)[number]['noun'];
export type CatalogCommand = (typeof CATALOG_DEFINITIONS)[number]['command'];

export const catalogs: readonly Catalog<CatalogName, CatalogCommand>[] = CATALOG_DEFINITIONS;

/** @param noun the noun of a catalog, such as a field's `ref`; that the catalog exists is not checked */
export const catalogOf = (noun: string) => catalogs.find((catalog) => catalog.noun === noun)!;

export const catalogOfCommand = (command: string) => catalogs.find((catalog) => catalog.command === command);
