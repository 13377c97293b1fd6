import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programDirectory } from './program-directory.ts';

/** Version of the program. */
export const { version } = JSON.parse(readFileSync(join(programDirectory, 'package.json'), 'utf8')) as {
  readonly version: string;
};
