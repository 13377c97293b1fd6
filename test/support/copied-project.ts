import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { projectRoot } from './start-gateway.ts';

/** What is made or private, at the top of the project. */
const leftOut = new Set(['.git', 'config', 'coverage', 'dist', 'try']);

/** Copies the project as it is now, without what was built, to a directory that does not exist yet; packages are shared. */
export function copyProject(directory: string): void {
  mkdirSync(directory, { recursive: true });
  cpSync(projectRoot, directory, {
    recursive: true,
    filter: (path) => basename(path) !== 'node_modules' && !leftOut.has(path.slice(projectRoot.length + 1)),
  });
  symlinkSync(join(projectRoot, 'node_modules'), join(directory, 'node_modules'));
}
