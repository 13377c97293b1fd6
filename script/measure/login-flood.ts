import { measureScript, runProgram } from './child.ts';
import type { GateProcess } from './gate-process.ts';

/** @returns how many logins succeeded */
export async function floodWithLogins(
  { address, password }: GateProcess,
  clients: number,
  seconds: number,
): Promise<number> {
  const socketPath = address.slice('unix:'.length);
  const parameters = [socketPath, password, String(clients), String(seconds)];
  return Number(await runProgram(measureScript('login-clients.ts', ...parameters)));
}
