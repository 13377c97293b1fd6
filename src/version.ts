import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Directory of the program, with the files that come with it: above `src`, and above `dist` in the bundle. */
export const programDirectory = dirname(import.meta.dirname);

/** Version of the program. */
export const { version } = JSON.parse(readFileSync(join(programDirectory, 'package.json'), 'utf8')) as {
  readonly version: string;
};
