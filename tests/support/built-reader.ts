import { join } from 'node:path';

/** The built reader starts four times as fast as the one of the sources, and the run begins with a build. */
export const readerEntryPath = (): string => join(import.meta.dirname, '../../dist/server/reader.js');
