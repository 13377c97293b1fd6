import { displayOf } from '../../language/display.ts';
import { languageOf } from '../../language/language.ts';
import type { RequestContext } from '../../policy/request-context.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { clientOf, contextOf, loginUrlOf, type Arrival } from './client.ts';
import { asksForPage, type Recipient } from './refusal.ts';

/**
 * The client of a request, who receives an answer of the gate.
 * @param asked the client's own request, if the request is a front's
 */
export function recipientOf(
  env: Arrival,
  settings: Settings,
  asked: Pick<RequestContext, 'method' | 'uri'> = contextOf(env, settings),
): Recipient {
  const loginUrl = loginUrlOf(env, settings);
  const { zone } = settings;
  if (!asksForPage(env.incoming)) return { loginUrl, reader: undefined, zone };
  const { contact, features, house, logoutUrl, hasStartPage } = settings;
  const { headers } = env.incoming;
  const display = displayOf(headers.cookie);
  return {
    loginUrl,
    zone,
    reader: {
      zone,
      language: languageOf(headers['accept-language'], display.language),
      look: display.look,
      contact,
      house,
      prefix: clientOf(env, settings).prefix,
      hasStartPage,
      loginUrl,
      logoutUrl,
      mayAsk: features.has('access_requests'),
      navigatedTo: asked.method === 'GET' ? asked.uri : undefined,
    },
  };
}
