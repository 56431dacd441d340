import './login.ts';
import { startOnDemand } from './loader/demand.ts';
import { startFiles } from './loader/files.ts';
import { startIslands } from './loader/islands.ts';
import { startMore } from './loader/more.ts';
import { enableScripted, focusFirst, startLetters, startReturns } from './loader/page.ts';

// The loader of every signed-in page. It contains no React, which is loaded with the first island in use.
enableScripted();
focusFirst(); // before islands listen, which would count it as use
startIslands();
startOnDemand();
startMore();
startReturns();
startFiles();
startLetters();
if (document.querySelector('input.num')) import('./loader/amounts.ts');
