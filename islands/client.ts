import './login.ts';
import { fillBell } from './loader/bell.ts';
import { startFileForms } from './loader/files.ts';
import { startIslands } from './loader/islands.ts';
import { startLoadingOnDemand } from './loader/load-on-demand.ts';
import { startShowMore } from './loader/more.ts';
import { enableScriptedFields, focusInitialElement, startReturnLinks } from './loader/page.ts';

// The loader of every signed-in page. It contains no React, which is loaded with the first island in use.
enableScriptedFields();
focusInitialElement(); // before islands listen, which would count it as use
startIslands();
startLoadingOnDemand();
startShowMore();
startReturnLinks();
for (const type of ['click', 'auxclick'] as const)
  addEventListener(type, (event) => {
    if ((event.target as Element).closest('tr[data-href], .formats'))
      import('./loader/rows.ts').then(({ openRow }) => openRow(event));
  });
startFileForms();
fillBell().catch(() => {});
if (document.querySelector('input.num')) import('./loader/amounts.ts');
if (document.querySelector('[data-part]')) import('./loader/parts.ts');
