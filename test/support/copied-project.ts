import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './start-gateway.ts';

/** What is made, installed or private, at the top of the project. */
const leftOut = new Set(['.git', 'config', 'coverage', 'dist', 'node_modules', 'try']);

/** Copies the project as it is now, without what was built, to a directory that does not exist yet; packages are shared. */
export function copyProject(directory: string): void {
  mkdirSync(directory, { recursive: true });
  cpSync(projectRoot, directory, {
    recursive: true,
    filter: (path) => !leftOut.has(path.slice(projectRoot.length + 1)),
  });
  symlinkSync(join(projectRoot, 'node_modules'), join(directory, 'node_modules'));
}
