import './login.ts';
import { startBell } from './loader/bell.ts';
import { startOnDemand } from './loader/demand.ts';
import { startFiles } from './loader/files.ts';
import { focusFirst } from './loader/focus.ts';
import { startIslands } from './loader/islands.ts';
import { startLetters } from './loader/letters.ts';
import { startMore } from './loader/more.ts';
import { startReturns } from './loader/returns.ts';
import { enableScripted } from './loader/scripted.ts';

// The loader of every signed-in page: it holds no React, which comes with the first island in use.
enableScripted();
focusFirst(); // ahead of whoever takes it for use
startIslands();
startOnDemand();
startMore();
startReturns();
startFiles();
startBell();
startLetters();
