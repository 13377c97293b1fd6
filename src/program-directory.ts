import { dirname } from 'node:path';

/** Directory of the program, with the files that it brings along: above `src`, and above `dist` in the bundle. */
export const programDirectory = dirname(import.meta.dirname);
