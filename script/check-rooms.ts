import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { forbiddenArrows } from './rooms.ts';

const source = join(import.meta.dirname, '..', 'src');
const files = globSync('**/*.{ts,tsx}', { cwd: source });
const messages = forbiddenArrows(
  new Map(files.map((file) => [file, readFileSync(join(source, file), 'utf8')])),
);
for (const message of messages) process.stderr.write(`${message}\n`);
process.stdout.write(`rooms: ${files.length} files, ${messages.length} forbidden arrows\n`);
process.exitCode = messages.length === 0 ? 0 : 1;
