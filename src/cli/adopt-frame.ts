import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { configurationDirectory } from '../config/load.ts';
import type { CommandContext } from './frame/command.ts';
import { print } from './frame/output.ts';

/** Names in Frigate's files may hold control characters, which a terminal obeys. */
export function say(lines: readonly string[]): void {
  for (const line of lines) print(line.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '?'));
}

/** With the list of trusted headers that adopt wrote, unless another is named. */
export function withOwnList({ environment, root }: CommandContext): CommandContext {
  const list = join(resolve(configurationDirectory(environment)), 'proxy_trusted_headers.conf');
  if (environment['SERVICE_TRUSTED_HEADERS_FILE'] || !existsSync(list)) return { environment, root };
  return { environment: { ...environment, SERVICE_TRUSTED_HEADERS_FILE: list }, root };
}
