import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

test.each(['Dockerfile', 'docs/systemd.md', 'docs/systemd/postern.service', 'script/try-images'])(
  '%s starts the program with the options of script/server',
  (file) => {
    const started = (text: string) =>
      [...text.replaceAll(/[",]/g, '').matchAll(/\bnode ((?:--\S+ +)*)dist\/main\.js/g)].map(
        ([, options = '']) => options.trim(),
      );
    const [options = 'not started'] = started(readFileSync(join(root, 'script/server'), 'utf8'));
    const here = new Set(started(readFileSync(join(root, file), 'utf8')));
    expect([...here]).toEqual([options]);
  },
);
