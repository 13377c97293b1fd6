import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { printable } from '../language/printable.ts';
import { configurationDirectory } from '../config/load.ts';
import type { CommandContext } from './frame/command.ts';
import { print } from './frame/output.ts';

/** Prints lines that have texts of Frigate's files in them. */
export function say(lines: readonly string[]): void {
  for (const line of lines) print(printable(line));
}

/** With the list of trusted headers that adopt wrote, unless another is named. */
export function withOwnList({ environment, root }: CommandContext): CommandContext {
  const list = join(resolve(configurationDirectory(environment)), 'proxy_trusted_headers.conf');
  if (environment['SERVICE_TRUSTED_HEADERS_FILE'] || !existsSync(list)) return { environment, root };
  return { environment: { ...environment, SERVICE_TRUSTED_HEADERS_FILE: list }, root };
}
