import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './start-gateway.ts';

/** Headers that a file of nginx/postern sets or empties, with the files that it includes: lower-case names. */
export function headersSetIn(file: string): string[] {
  const text = readFileSync(join(projectRoot, 'nginx', 'postern', file), 'utf8');
  const included = [...text.matchAll(/^include postern\/(\S+);/gm)].flatMap(([, name = '']) =>
    headersSetIn(name),
  );
  return [
    ...[...text.matchAll(/^proxy_set_header (\S+)/gm)].map(([, name = '']) => name.toLowerCase()),
    ...included,
  ];
}
