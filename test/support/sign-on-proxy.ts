import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback, passOn } from './reverse-proxy.ts';

/** How the proxy answers a user who is not signed in. */
export type SendingAway = 302 | 307 | 401;

export interface SignOnProxy {
  /** Where the site is, behind the proxy. */
  readonly origin: string;
  /** Where its login page is: another site. */
  readonly loginOrigin: string;
  /** Requests for the login page so far. */
  readonly logins: () => number;
  /** Ends all sign-ons. */
  signOff(): void;
  /** Sends scripts away for ever, whatever their sign-on; pages are let through. `undefined` ends it. */
  refuseScripts(answer: { readonly status: number; readonly location: string } | undefined): void;
  close(): Promise<void>;
}

/**
 * A proxy that signs users on, in front of a site that believes its header: it sends a browser to a
 * login page at another origin, which sets a cookie there and sends it back with a ticket.
 * @param address `host:port` of the site behind it
 */
export async function startSignOnProxy(address: string, status: SendingAway): Promise<SignOnProxy> {
  let round = 1;
  let refusal: { readonly status: number; readonly location: string } | undefined;
  let logins = 0;
  let siteOrigin = '';

  const loginPage = await listenOnLoopback(
    createServer((request, response) => {
      logins += 1;
      const back = new URL(request.url ?? '', 'http://x').searchParams.get('rd') ?? '';
      response.writeHead(302, {
        'set-cookie': 'login_session=1; Path=/; HttpOnly',
        location: `${siteOrigin}/_ticket?rd=${encodeURIComponent(back)}`,
      });
      response.end();
    }),
  );
  // Another name is another site, whose cookies are its own.
  const loginOrigin = loginPage.origin.replace('127.0.0.1', 'localhost');
  const site = await listenOnLoopback(
    createServer((request, response) => {
      const { url = '', headers } = request;
      if (url.startsWith('/_ticket?')) {
        const back = new URL(url, 'http://x').searchParams.get('rd') ?? '/';
        redirect(response, 302, back, `sign_on=${round}; Path=/; HttpOnly; SameSite=Lax`);
      } else if (refusal !== undefined && !isNavigation(request) && url.startsWith('/api/')) {
        redirect(response, refusal.status, refusal.location);
      } else if (!headers.cookie?.split('; ').includes(`sign_on=${round}`)) {
        // For a script, the page that it runs in.
        const page = isNavigation(request) ? `${siteOrigin}${url}` : (headers.referer ?? siteOrigin);
        const wanted = isNavigation(request) && status === 401 ? 302 : status;
        redirect(response, wanted, `${loginOrigin}/sign-on?rd=${encodeURIComponent(page)}`);
      } else {
        passOn(request, response, address);
      }
    }),
  );
  siteOrigin = site.origin;
  return {
    origin: siteOrigin,
    loginOrigin,
    logins: () => logins,
    signOff: () => {
      round += 1;
    },
    refuseScripts: (answer) => {
      refusal = answer;
    },
    close: async () => {
      await site.close();
      await loginPage.close();
    },
  };
}

function isNavigation({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-mode'] === 'navigate';
}

function redirect(response: ServerResponse, status: number, location: string, cookie?: string): void {
  response.writeHead(status, { location, ...(cookie === undefined ? {} : { 'set-cookie': cookie }) });
  response.end('{"message":"Sign on first"}');
}
