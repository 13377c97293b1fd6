import { createHash } from 'node:crypto';
import { closeSync, constants, createWriteStream, existsSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { giveToOwner } from '../../config/own-files.ts';

const readNoLink = constants.O_RDONLY | constants.O_NOFOLLOW;

/** Size and checksum of a file. */
export interface Measured {
  readonly size: number;
  readonly sha256: string;
}

type Links = 'followed' | 'refused';

const flagsFor = (links: Links) => (links === 'refused' ? readNoLink : constants.O_RDONLY);

export async function measure(path: string, links: Links = 'refused'): Promise<Measured> {
  const hash = createHash('sha256');
  let size = 0;
  const file = await open(path, flagsFor(links));
  for await (const chunk of file.createReadStream() as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}

/**
 * Copies a file to a path that does not exist yet, private and synced to disk.
 * @returns size and checksum of what was written
 */
export async function copyPrivately(from: string, to: string, links: Links): Promise<Measured> {
  const source = await open(from, flagsFor(links));
  await pipeline(source.createReadStream(), createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }));
  giveToOwner(dirname(to), to);
  return measure(to);
}

/** Makes names in a directory survive a power failure. */
export function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  fsyncSync(directory);
  closeSync(directory);
}

/** @returns a time, in milliseconds since the epoch, as part of a file name */
export function stampOf(time: number): string {
  return new Date(time).toISOString().replaceAll(':', '-').replace(/\.\d+/, '');
}

/** @returns the wanted name, with a number appended if it is taken: it sorts after that name and before later times */
export function freeName(directory: string, wanted: string): string {
  let name = wanted;
  for (let i = 2; existsSync(join(directory, name)); i += 1) name = `${wanted}-${i}`;
  return name;
}
