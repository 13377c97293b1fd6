import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './start-gateway.ts';

export const releases = ['0.17', '0.18'] as const;

/** Who may ask what of a recorder, from its source. */
export interface RecorderRoute {
  readonly method: string;
  /** With the names of its parameters: `{camera_name}`. */
  readonly path: string;
  readonly who: (typeof whos)[number];
}

const whos = [
  'public',
  'any user',
  'any user, filtered',
  'camera-bound',
  'camera-bound (in handler)',
  'admin',
  'admin (default)',
] as const;

export function recorderRoutes(release: (typeof releases)[number]): readonly RecorderRoute[] {
  return linesOf(`test/data/recorder-routes-${release}.tsv`).map(([method = '', path = '', said]) => {
    const who = whos.find((known) => known === said);
    if (who === undefined) throw new Error(`${release}: ${method} ${path} is for ${said}`);
    return { method, path, who };
  });
}

/** A request of the recorder's own UI. */
export interface PageRequest {
  /** `viewer`, or `neighbour`: driveway and front_door. */
  readonly role: string;
  readonly page: string;
  readonly method: string;
  readonly uri: string;
  /** The recorder's answer to a direct request. */
  readonly status: string;
}

export function recorderPages(): readonly PageRequest[] {
  return linesOf('test/data/recorder-pages.tsv').map(([role = '', page = '', request = '', status = '']) => {
    const [method = '', uri = ''] = request.split(' ');
    return { role, page, method, uri, status };
  });
}

function linesOf(file: string): string[][] {
  return readFileSync(join(projectRoot, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
}
