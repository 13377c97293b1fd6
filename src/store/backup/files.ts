import { createHash } from 'node:crypto';
import { closeSync, createReadStream, createWriteStream, existsSync, fsyncSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { giveToOwner } from '../../config/own-files.ts';
import { openFile } from '../../config/read-file.ts';

/** Size and checksum of a file. */
export interface Measured {
  readonly size: number;
  readonly sha256: string;
}

type Links = 'followed' | 'refused';

const reading = (path: string, links: Links) => createReadStream(path, { fd: openFile(path, links) });

export async function measure(path: string, links: Links = 'refused'): Promise<Measured> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of reading(path, links) as AsyncIterable<Buffer>) {
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
  await pipeline(reading(from, links), createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }));
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
