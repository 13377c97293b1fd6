import { browserOf } from '../../../policy/user-agent.ts';
import { fill, text } from '../../text.ts';

/**
 * @param agent `User-Agent`, which a client can forge
 * @returns the browser and system as text if they are clear, else the agent unchanged
 */
export function agentText(agent: string | null): string {
  if (agent === null) return text.clients.unnamed;
  const found = browserOf(agent);
  return found === undefined
    ? agent
    : fill(text.clients.browserOn, { browser: found.browser, system: found.system });
}
