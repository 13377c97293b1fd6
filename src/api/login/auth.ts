import type { Authorize } from '../../access/authorize.ts';
import { contextOf, recipientOf } from '../../http/fronts/client.ts';
import { allowedLines } from '../../http/fronts/front-answer.ts';
import { refusalAnswer } from '../../http/fronts/refusal.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { undocumentedEndpoint } from '../endpoint.ts';

export interface AuthDependencies {
  readonly settings: Settings;
  readonly authorize: Authorize;
}

/** Lets a client check itself. On a forward-auth listener the front answers before the request gets here. */
export const authorizeClient = undocumentedEndpoint({
  method: 'all',
  path: '/auth',
  level: 'own-account',
  handle:
    ({ settings, authorize }: AuthDependencies) =>
    async (c) => {
      const result = await authorize(contextOf(c.env, settings));
      const { id, decision } = result;
      if (decision.outcome !== 'allow') {
        const recipient = { ...recipientOf(c.env, settings), reader: undefined };
        const { status, headers, body } = refusalAnswer(decision, recipient, id);
        return new Response(body, { status, headers });
      }
      const answer = new Headers();
      const lines = allowedLines(result);
      for (let i = 0; i + 1 < lines.length; i += 2) answer.append(lines[i] ?? '', lines[i + 1] ?? '');
      return new Response(null, { headers: answer });
    },
});
