import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Disk } from '../../src/config/replace-file.ts';
import type { Change } from '../../src/store/permit.ts';

/** How the writes of a change end: with the process, or with an error that the process goes on with. */
export type Ending = 'a power cut' | 'a full disk';

/** A disk and a store that end before one of their writes. */
export interface EndingDisk {
  readonly disk: Disk;
  /** @returns the same change, whose commit is a write too */
  readonly ending: (change: Change) => Change;
  /** The writes so far, in their order. */
  readonly writes: readonly string[];
  /** Loses what a power cut loses: names that were not synced. A text that was not is lost at once. @returns whether it lost any */
  loseUnsynced(): boolean;
}

/** @param last how many writes succeed */
export function endingDisk(last: number, how: Ending): EndingDisk {
  const writes: string[] = [];
  const synced = new Set<string>();
  const unsyncedNames = new Map<string, { readonly previous: string | undefined }>();
  let hasEnded = false;
  const write = (what: string) => {
    if (writes.length < last) return void writes.push(what);
    hasEnded = true;
    throw Object.assign(new Error(`${how} before: ${what}`), { code: 'ENOSPC' });
  };
  /** A process that has ended tidies nothing up. */
  const isOver = () => how === 'a power cut' && hasEnded;
  const disk: Disk = {
    open: async (path, flags, mode) => {
      const name = String(path);
      if (flags === 'r') {
        const directory = await open(path, flags);
        return Object.assign(directory, {
          sync: async () => {
            write('sync the directory');
            for (const file of unsyncedNames.keys()) if (dirname(file) === name) unsyncedNames.delete(file);
          },
        });
      }
      write('make the file');
      const handle = await open(path, flags, mode);
      const writeFile = handle.writeFile.bind(handle);
      return Object.assign(handle, {
        writeFile: async (text: string) => {
          write('write the text');
          await writeFile(text);
        },
        sync: async () => {
          write('sync the text');
          synced.add(name);
        },
      });
    },
    rename: async (from, to) => {
      write('rename');
      const [source, target] = [String(from), String(to)];
      const previous = existsSync(target) ? readFileSync(target, 'utf8') : undefined;
      if (!unsyncedNames.has(target)) unsyncedNames.set(target, { previous });
      await rename(from, to);
      if (!synced.has(source)) writeFileSync(target, '');
      synced.delete(source);
    },
    rmSync: (path, options) => {
      if (!isOver()) rmSync(path, options);
    },
  };
  return {
    disk,
    ending: (change) => async (permit, work) => {
      if (isOver()) throw new Error('the process has ended');
      return change(permit, async (on, permission) => {
        const result = await work(on, permission);
        write('commit');
        return result;
      });
    },
    writes,
    loseUnsynced: () => {
      for (const [file, { previous }] of unsyncedNames)
        if (previous === undefined) rmSync(file);
        else writeFileSync(file, previous);
      return unsyncedNames.size > 0;
    },
  };
}
