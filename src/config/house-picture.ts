import { closeSync, fstatSync, readFileSync, realpathSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join, sep } from 'node:path';
import { ConfigurationError } from './problem.ts';
import { NoFileError, openFile } from './read-file.ts';

/** The picture of the house, `ui.logo`. */
export interface HousePicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: keyof typeof beginnings;
  /** Changes with the picture. */
  readonly version: string;
}

/** Bytes: it is kept in memory, and guests load it before they sign in. */
const largestPicture = 524_288;

// No SVG: opened by itself it is a document, with scripts.
const beginnings = {
  'image/png': /^\x89PNG\r\n\x1a\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/webp': /^RIFF[^]{4}WEBP/,
} as const;

const pictureAllowed = `a PNG, JPEG or WebP picture of at most ${largestPicture / 1024} KiB`;

/** @returns undefined when the bytes are no picture that browsers only draw */
function pictureOf(bytes: Uint8Array): HousePicture | undefined {
  if (bytes.length > largestPicture) return undefined;
  const beginning = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  const types = Object.keys(beginnings) as Array<keyof typeof beginnings>;
  const type = types.find((known) => beginnings[known].test(beginning));
  if (type === undefined) return undefined;
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return { bytes: Uint8Array.from(bytes), type, version };
}

/**
 * @param name of a file in the directory; links may lead to other files in it
 * @throws ConfigurationError when it is none, leads elsewhere, or is no picture
 */
export function readHousePicture(directory: string, name: string): HousePicture {
  const refuse = (found: string): never => {
    throw new ConfigurationError([
      { path: 'ui.logo', found: `${join(directory, name)}, ${found}`, allowed: pictureAllowed },
    ]);
  };
  try {
    const root = realpathSync(directory);
    const path = realpathSync(join(root, name));
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep))
      return refuse('which leads out of the directory');
    const file = openFile(path, 'refused');
    try {
      const { size } = fstatSync(file);
      if (size > largestPicture) return refuse(`which has ${Math.ceil(size / 1024)} KiB`);
      return pictureOf(readFileSync(file)) ?? refuse('which is something else');
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    if (error instanceof NoFileError) return refuse('which is not a file');
    const { code } = error as NodeJS.ErrnoException;
    return refuse(code === 'ENOENT' ? 'which does not exist' : `a file that cannot be read (${code})`);
  }
}
