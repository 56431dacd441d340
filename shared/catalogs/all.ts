import type { Catalog, CatalogNoun } from './catalog.ts';
import { clients } from './clients.ts';
import { fundingSources } from './funding-sources.ts';
import { jobs } from './jobs.ts';
import { rubros } from './rubros.ts';
import { suppliers } from './suppliers.ts';

export const catalogs: readonly Catalog[] = [suppliers, clients, jobs, rubros, fundingSources];

export const catalogOf = (noun: CatalogNoun): Catalog => catalogs.find((catalog) => catalog.noun === noun)!;
