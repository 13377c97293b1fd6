import { html, raw } from 'hono/html';
import type { ErrorCode } from '../../errors.ts';
import { readContact } from '../../language/contact.ts';
import type { Display } from '../../language/display.ts';
import type { Language } from '../../language/language.ts';
import type { RefusalTexts } from '../../language/en/refusals.ts';
import { refusalTexts } from '../../language/refusals.ts';
import type { Identity } from '../../policy/identity.ts';
import { script, style, stylePolicy } from './page-look.ts';

type Html = ReturnType<typeof raw>;

/** Escapes what it is filled with; nothing here is a promise. */
const filled = (strings: TemplateStringsArray, ...values: readonly unknown[]) =>
  html(strings, ...values) as Html;

/** What a page of a refusal tells. */
export interface RefusalPage {
  readonly status: number;
  readonly code: ErrorCode;
  /** Id by which an operator finds the reason. */
  readonly decision?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** Who is asking, as this request itself says; undefined: nobody is known. */
  readonly identity?: Pick<Identity, 'user' | 'role' | 'source'> | undefined;
}

/** Who reads it, and where on the site they are. */
export interface Reader {
  readonly language: Language;
  /** What they have chosen; undefined: as the browser has it. */
  readonly look: Display['look'];
  /** `config.yml` says whom to ask: a text, `mailto:`, or https. */
  readonly contact: string | undefined;
  /** Path prefix below which the client sees the site; empty at the root. */
  readonly prefix: string;
  /** Whether something else than the gate's own pages is at the root. */
  readonly hasStartPage: boolean;
  /** Where to log in; undefined when there is no login of ours. */
  readonly loginUrl: string | undefined;
  /** `logout_url` */
  readonly logoutUrl: string | undefined;
  /** Request target of a GET, below the prefix: one can come back there. */
  readonly navigatedTo: string | undefined;
}

/** The page, complete in itself. Everything that somebody else chose is escaped. */
export function refusalPage(page: RefusalPage, reader: Reader): string {
  const { status, identity, decision, retryAfterSeconds } = page;
  const { language, contact } = reader;
  const t = refusalTexts[language];
  const { title, text } = t.texts[textOf(page)];
  const isProxyUnidentified = status === 401 && reader.loginUrl === undefined;
  const parts = [
    raw(logo),
    filled`<h1>${title}</h1>`,
    filled`<p>${text}${isProxyUnidentified ? ` ${t.proxyLogsIn}` : ''}</p>`,
    retryAfterSeconds === undefined ? '' : filled`<p>${t.retryIn(retryAfterSeconds)}</p>`,
    identity === undefined ? '' : filled`<p>${whoIs(identity, t)}</p>`,
    contact === undefined ? '' : filled`<p>${t.whomToAsk} ${contactLink(contact)}</p>`,
    filled`<div class="do">${actions(page, reader)}</div>`,
    decision === undefined ? '' : decisionText(decision, t),
    filled`<p class="small">${t.status(status)} · Postern</p>`,
  ];
  const body = filled`<main>${parts}</main>`;
  return documentOf({ language, look: reader.look, title: `${status} ${title}`, body, script });
}

function decisionText(id: string, t: RefusalTexts) {
  const button = filled`<button type="button" hidden data-copied="${t.copied}">${t.copy}</button>`;
  return [
    filled`<p class="id">${t.decision} <code>${id}</code> ${button} <span role="status"></span></p>`,
    filled`<p class="small">${t.decisionMeans}</p>`,
  ];
}

function whoIs({ user, role, source }: NonNullable<RefusalPage['identity']>, t: RefusalTexts) {
  if (source === 'internal') return t.internal;
  return filled`${t.loggedInAs} ${name(user)}, ${t.role} ${name(role)}.`;
}

function name(text: string) {
  return filled`<strong dir="auto">${text}</strong>`;
}

/** A page in this look. */
function documentOf(parts: {
  readonly language: Language;
  readonly look?: Display['look'];
  readonly title: string;
  readonly body: Html;
  /** More of the head. */
  readonly head?: Html;
  readonly script?: string;
}): string {
  const { language, look, title, body, head, script } = parts;
  return String(filled`<!doctype html>
<html lang="${language}"${look === undefined ? '' : filled` data-theme="${look}"`}>
<head>
<meta charset="utf-8">${head}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${raw(style)}</style>
</head>
<body>
${body}
${script === undefined ? '' : filled`<script>${raw(script)}</script>`}
</body>
</html>
`);
}

/** The pages that a front serves by itself, when the gate may be what is away: name of the file, status, and text. */
export const staticPages = [
  ['401', 401, 'unauthenticated'],
  ['403', 403, 'forbidden'],
  ['413', 413, 'payload_too_large'],
  ['500', 500, 'gate_away'],
  ['502', 502, 'upstream_unavailable'],
  ['504', 504, 'upstream_unavailable'],
  ['gate_away', 502, 'gate_away'],
  ['host_unknown', 403, 'host_unknown'],
] as const;

/** One of them: it tells what is the same for everybody, and has its policy in it. */
export function staticPage([, status, textOfPage]: (typeof staticPages)[number], language: Language): string {
  const t = refusalTexts[language];
  const { title, text } = t.texts[textOfPage];
  const again = filled`<a class="first" href="">${t.again}</a>`;
  const parts = [
    raw(logo),
    filled`<h1>${title}</h1>`,
    filled`<p>${text}</p>`,
    status >= 500 ? filled`<div class="do">${again}</div>` : '',
    status === 401 ? filled`<div class="do"><a class="first" href="/login">${t.logIn}</a></div>` : '',
    filled`<p class="small">${t.status(status)} · Postern</p>`,
  ];
  const policy = `${stylePolicy}; img-src data:`;
  return documentOf({
    language,
    title: `${status} ${title}`,
    body: filled`<main>${parts}</main>`,
    head: filled`<meta http-equiv="Content-Security-Policy" content="${policy}">`,
  });
}

/** Of a login at a provider. `navigatedTo` is where it was to lead. */
function signOnActions(code: ErrorCode, { language, prefix, navigatedTo }: Reader) {
  const t = refusalTexts[language];
  const back = backTo({ navigatedTo });
  // A login that could not be finished goes on at the same address when the provider is there again.
  const login = `${prefix}/postern/oidc/login`;
  const again = code === 'sign_on_away' ? '' : login + back;
  const isFault = code === 'sign_on_away' || code === 'sign_on_failed';
  const isOther = !isFault && code !== 'sign_on_unfinished';
  return [
    filled`<a class="first" href="${again}">${t.again}</a>`,
    // Whoever is logged in at the provider would be the same person again.
    isOther ? filled`<a href="${login}?another${back.replace('?', '&')}">${t.logInAsOther}</a>` : '',
    isFault ? filled`<a href="${prefix}/login?local${back.replace('?', '&')}">${t.logInLocally}</a>` : '',
  ];
}

function actions({ status, code, identity }: RefusalPage, reader: Reader) {
  const { language, prefix, loginUrl, logoutUrl, navigatedTo } = reader;
  if (code.startsWith('sign_on_')) return signOnActions(code, reader);
  const t = refusalTexts[language];
  const back = backTo(reader);
  const isTransient = status === 429 || status >= 500;
  // Of the gate's pages, that of the account is open at any time.
  const isOutside = code === 'outside_window';
  const canTryAgain = (isTransient || isOutside) && navigatedTo !== undefined;
  const canLogIn = (status === 401 || code === 'session_not_ended') && loginUrl !== undefined;
  const home = canTryAgain || canLogIn ? '' : filled` class="first"`;
  return [
    // The address of the page itself: nothing of it has to be repeated.
    canTryAgain ? filled`<a class="first" href="">${t.again}</a>` : '',
    canLogIn ? filled`<a class="first" href="${loginUrl}${back}">${t.logIn}</a>` : '',
    isOutside
      ? filled`<a${home} href="${prefix}/postern/account">${t.account}</a>`
      : filled`<a${home} href="${prefix}/postern/">${t.home}</a>`,
    reader.hasStartPage && !isOutside ? filled`<a href="${prefix}/">${t.start}</a>` : '',
    // Somebody else would get no further there.
    identity?.source === 'session' && !isTransient ? departure(prefix, back, t) : '',
    identity?.source === 'proxy' && !isTransient && logoutUrl !== undefined
      ? filled`<a href="${logoutUrl}">${t.logOut}</a>`
      : '',
  ];
}

/** Forms, since a link that ends a session could be followed by a browser that looks ahead. */
function departure(prefix: string, back: string, t: RefusalTexts) {
  const other = filled`<button formaction="${prefix}/logout${back}">${t.logInAsOther}</button>`;
  return filled`<form method="post" action="${prefix}/logout">${back === '' ? '' : other}<button>${t.logOut}</button></form>`;
}

// Browsers and proxies take no address of any length.
const longestReturn = 2_048;

/** @returns the query by which a login leads back; empty when there is no way back */
export function backTo({ navigatedTo }: Pick<Reader, 'navigatedTo'>): string {
  if (navigatedTo === undefined || navigatedTo.length > longestReturn) return '';
  // Whoever asked for the login with a slash behind it wants no other page.
  const login = /^\/login\/+(\?.*)?$/s.exec(navigatedTo);
  return login === null ? `?next=${encodeURIComponent(navigatedTo)}` : (login[1] ?? '');
}

function contactLink(contact: string) {
  const { href, text } = readContact(contact);
  return href === undefined ? filled`<bdi>${text}</bdi>` : filled`<a href="${href}" dir="auto">${text}</a>`;
}

function textOf({ code, status }: RefusalPage): keyof (typeof refusalTexts)['en']['texts'] {
  const { texts } = refusalTexts.en;
  if (code in texts) return code as keyof typeof texts;
  return status === 503 ? 'unavailable' : 'other';
}

const logo = `<svg viewBox="0 0 32 32" width="40" height="40" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#0172ad"/><path d="M8 26V15a8 8 0 0 1 16 0v11M13 26V15.5a3 3 0 0 1 6 0V26M5 26h22" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>`;
