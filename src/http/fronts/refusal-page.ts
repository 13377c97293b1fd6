import { html, raw } from 'hono/html';
import type { ErrorCode } from '../../errors.ts';
import { systemClock } from '../../clock.ts';
import { readContact } from '../../language/contact.ts';
import type { Display } from '../../language/display.ts';
import type { Language } from '../../language/language.ts';
import {
  canSee,
  dayAndTime,
  fill,
  fillCounted,
  lastMoment,
  locales,
  nameText,
  timeOf,
} from '../../language/fill.ts';
import { texts, type Texts } from '../../language/texts.ts';
import type { Opening } from '../../policy/schedule.ts';
import type { Grant } from '../../policy/grant.ts';
import type { Identity } from '../../policy/identity.ts';
import type { House } from '../../access/settings/house.ts';
import {
  askingScript,
  fontPath,
  mark,
  script,
  scriptPolicy,
  shutGate,
  style,
  stylePolicy,
} from './page-look.ts';

type Html = ReturnType<typeof raw>;
type RefusalTexts = Texts['refusals'];

/** Escapes the values; none of them may be a promise. */
const filled = (strings: TemplateStringsArray, ...values: readonly unknown[]) =>
  html(strings, ...values) as Html;

/** Content of a page of a refusal. */
export interface RefusalPage {
  readonly status: number;
  readonly code: ErrorCode;
  /** Id by which an operator can find the reason. */
  readonly decision?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** The camera that was refused, if the reader named it. */
  readonly camera?: string | undefined;
  /** The cameras that the reader may watch instead. */
  readonly granted?: Grant | undefined;
  /** When the reader's access opens again. */
  readonly opening?: Opening | undefined;
  /** The identity of this request, if known. */
  readonly identity?: Pick<Identity, 'user' | 'role' | 'source' | 'token' | 'invitedBy'> | undefined;
}

/** The reader of the page, and where on the site they are. */
export interface Reader {
  /** Time zone of schedules. */
  readonly zone: string;
  readonly language: Language;
  /** Their chosen theme. Omit for the browser's. */
  readonly look: Display['look'];
  /** Contact for help from `config.yml`: a text, `mailto:`, or https. */
  readonly contact: string | undefined;
  readonly house: House;
  /** Path prefix below which the client sees the site; empty at the root. */
  readonly prefix: string;
  /** Where to sign in. Absent when the gate has no login. */
  readonly loginUrl: string | undefined;
  /** `logout_url` */
  readonly logoutUrl: string | undefined;
  /** @returns what people call the cameras of a grant, in the order of every page */
  readonly namesOf: (grant: Grant) => readonly string[];
  /** Whether users may ask for a camera that they were refused. */
  readonly mayAsk: boolean;
  /** Request target of a GET, below the prefix, to which the reader can return. */
  readonly navigatedTo: string | undefined;
}

/** The complete page. Everything that comes from others is escaped. */
export function refusalPage(page: RefusalPage, reader: Reader): string {
  const { status, camera, retryAfterSeconds, opening } = page;
  const { house, prefix } = reader;
  const t = texts[reader.language].refusals;
  const { text: usualText, title: usualTitle } = t.texts[textOf(page)];
  const text = opening?.closedSince === undefined ? usualText : t.endedHint;
  const cameraTitle = camera && fill(t.noCamera, { camera: nameText(camera) });
  const title = openingTitle(page, reader) ?? cameraTitle ?? usualTitle;
  const isProxyUnidentified = status === 401 && reader.loginUrl === undefined;
  const opens = opening?.opens;
  const waits = waitsForRecorder(page, reader);
  const sentences = [
    ...(camera === undefined ? [text] : otherCameras(camera, page, reader)),
    isProxyUnidentified && t.proxyLogsIn,
    opens !== undefined && t.opensItself,
    waits && t.waits,
  ];
  const { shown, more } = actions(page, reader);
  const shell = shellOf(page, reader);
  const parts = [
    shell === undefined ? filled`<p class="house">${raw(mark)}${house.name}</p>` : '',
    filled`<h1>${title}</h1>`,
    filled`<p class="m">${sentences.filter(Boolean).join(' ')}</p>`,
    retryAfterSeconds === undefined
      ? ''
      : filled`<p class="m">${fillCounted(t.retryIn, retryAfterSeconds, reader.language)}</p>`,
    filled`<div class="do">${shown}</div>`,
    footOf(page, reader),
    detailsOf(page, more, t),
  ];
  const picture = house.hasPicture ? filled`<img src="${prefix}/postern/picture" alt="">` : raw(shutGate);
  const { language, look } = reader;
  return documentOf({
    language,
    look,
    title: `${title} · ${house.name}`,
    picture,
    shell,
    parts,
    house,
    prefix,
    // The reader's own clock may be wrong.
    opensIn: opens === undefined ? undefined : Math.max(1_000, opens - systemClock.now()),
    waits,
    asks: camera !== undefined && reader.mayAsk,
  });
}

/** Waiting helps; signing in does not. */
const closedForNow: ReadonlySet<string> = new Set(['outside_schedule', 'clock_wrong', 'stopped']);

/** The header of the UI, for someone whose pages these are. Outside their hours only the account is open. */
function shellOf({ identity, code }: RefusalPage, { language, prefix, house }: Reader): Html | undefined {
  if (identity?.source !== 'session' && identity?.source !== 'proxy') return undefined;
  const { site } = texts[language];
  const brand = filled`${raw(mark)}${house.name}`;
  const isOpen = !closedForNow.has(code);
  const home = `${prefix}/postern/`;
  return filled`<header>${isOpen ? filled`<a class="house" href="${home}">${brand}</a><nav><a href="${home}">${site.home}</a></nav>` : filled`<span class="house">${brand}</span>`}<a class="me" href="${home}account" dir="auto">${identity.user}</a></header>`;
}

/** Whether the page looks by itself if the recorder answers again. */
export function waitsForRecorder(
  { status }: Pick<RefusalPage, 'status'>,
  reader: Pick<Reader, 'navigatedTo'>,
) {
  return status >= 502 && reader.navigatedTo !== undefined;
}

/** Names the cameras that the reader can watch, and says how to get the refused one too. */
function otherCameras(
  camera: string,
  { granted, identity }: Pick<RefusalPage, 'granted' | 'identity'>,
  { language, mayAsk, namesOf }: Pick<Reader, 'language' | 'mayAsk' | 'namesOf'>,
) {
  const { refusals: t, refused } = texts[language];
  const seen = granted === undefined ? undefined : canSee(namesOf(granted), refused, locales[language]);
  const { words, who } = askingOf(identity, t);
  const ask = seen === undefined ? words.ask : words.askToo;
  return [seen, mayAsk && fill(ask, { camera: nameText(camera), who })];
}

/** The words for asking: they name the admin who invited the reader. */
function askingOf(identity: RefusalPage['identity'], t: RefusalTexts) {
  const who = identity?.invitedBy;
  return who === undefined ? { words: t, who: '' } : { words: t.named, who };
}

/** Names whom to ask: the admin who invited the reader, otherwise the contact. Empty if the button already names somebody. */
function footOf(
  { status, camera, identity }: RefusalPage,
  { contact, language, mayAsk }: Pick<Reader, 'contact' | 'language' | 'mayAsk'>,
): Html | '' {
  // An admin answers for what is shared, not for what is broken.
  const who = status === 403 ? identity?.invitedBy : undefined;
  if (who !== undefined && camera !== undefined && mayAsk) return '';
  const asked = who === undefined ? contact && contactLink(contact) : name(who);
  return asked === undefined
    ? ''
    : filled`<p class="foot">${texts[language].refusals.whomToAsk} ${asked}</p>`;
}

/** When it opens is what the reader has to know first. */
function openingTitle(
  { opening, code }: RefusalPage,
  { language, zone }: Pick<Reader, 'language' | 'zone'>,
): string | undefined {
  const t = texts[language].refusals;
  const { opens, closedSince } = opening ?? {};
  const shown = (at: number, write = dayAndTime) =>
    `${write(at, systemClock.now(), zone, language)} (${zone})`;
  if (opens !== undefined)
    return code === 'stopped'
      ? fill(t.stoppedUntil, { when: `${timeOf(opens, zone, language)} (${zone})` })
      : fill(t.opens, { when: shown(opens) });
  return closedSince === undefined ? undefined : fill(t.ended, { when: shown(closedSince, lastMoment) });
}

/** Details that only some readers need: who they are, other ways in and out, and the code for an operator. */
function detailsOf({ identity, decision }: RefusalPage, more: readonly Html[], t: RefusalTexts) {
  const who = identity === undefined ? '' : whoIs(identity, t);
  if (who === '' && decision === undefined) return '';
  const copy = filled`<button type="button" hidden data-copied="${t.copied}">${t.copy}</button>`;
  const code =
    decision === undefined
      ? ''
      : filled`<p class="id">${t.decision} <code>${decision}</code> ${copy} <span role="status"></span></p>`;
  return filled`<details class="foot"><summary>${t.details}</summary>${who === '' ? '' : filled`<p>${who}</p>`}${more}${code}</details>`;
}

function whoIs({ user, source, token }: NonNullable<RefusalPage['identity']>, t: RefusalTexts) {
  if (source === 'internal') return t.internal;
  if (source === 'display')
    return token?.name === undefined ? '' : filled`${t.isScreen} ${name(token.name)}.`;
  return filled`${t.loggedInAs} ${name(user)}.`;
}

function name(text: string) {
  return filled`<strong dir="auto">${text}</strong>`;
}

/** A page in this design. */
function documentOf(parts: {
  readonly language: Language;
  readonly look?: Display['look'];
  readonly title: string;
  readonly picture: Html;
  readonly shell?: Html | undefined;
  readonly parts: readonly string[];
  readonly house?: House;
  /** Additional elements of the head. */
  readonly head?: Html;
  /** Path prefix of the site. */
  readonly prefix?: string;
  /** Milliseconds after which the page loads again. */
  readonly opensIn?: number | undefined;
  /** The page loads again once something else answers. */
  readonly waits: boolean;
  /** It has the button that asks for a camera. */
  readonly asks?: boolean;
}): string {
  const { language, look, title, picture, shell, house, head, prefix = '', opensIn, waits, asks } = parts;
  return String(filled`<!doctype html>
<html lang="${language}"${look === undefined ? '' : filled` data-theme="${look}"`}>
<head>
<meta charset="utf-8">${head}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${raw(style)}</style>${house?.style === undefined ? '' : filled`<style>${raw(house.style.text)}</style>`}
</head>
<body>
${shell}<main data-font="${prefix}${fontPath}"${opensIn === undefined ? '' : filled` data-opens-in="${opensIn}"`}${waits ? filled` data-waits` : ''}><div class="arch">${picture}</div><div class="say">${parts.parts}</div></main>
<script>${raw(script)}</script>${asks === true ? filled`<script>${raw(askingScript)}</script>` : ''}
</body>
</html>
`);
}

/** Pages that a front serves by itself if the gate is unavailable: name of the file, status, and text. */
export const staticPages = [
  ['401', 401, 'unauthenticated'],
  ['403', 403, 'forbidden'],
  ['413', 413, 'payload_too_large'],
  ['503', 503, 'gate_away'],
  ['502', 502, 'upstream_unavailable'],
  ['504', 504, 'upstream_unavailable'],
  ['gate_away', 502, 'gate_away'],
  ['host_unknown', 403, 'host_unknown'],
] as const;

/** One of them: the same for all users, with its policy inside. */
export function staticPage([, status, textOfPage]: (typeof staticPages)[number], language: Language): string {
  const t = texts[language].refusals;
  const { title, text } = t.texts[textOfPage];
  const again = filled`<a class="first" href="">${t.again}</a>`;
  const waits = status >= 500;
  const parts = [
    filled`<p class="house">${raw(mark)}Postern</p>`,
    filled`<h1>${title}</h1>`,
    filled`<p class="m">${waits ? `${text} ${t.waits}` : text}</p>`,
    waits ? filled`<div class="do">${again}</div>` : '',
    status === 401 ? filled`<div class="do"><a class="first" href="/login">${t.logIn}</a></div>` : '',
  ];
  const policy = `${stylePolicy}; ${scriptPolicy};${waits ? " connect-src 'self';" : ''} img-src data:`;
  return documentOf({
    waits,
    language,
    title: `${title} · Postern`,
    picture: raw(shutGate),
    parts,
    head: filled`<meta http-equiv="Content-Security-Policy" content="${policy}">`,
  });
}

/** The reader of a login at a provider. `navigatedTo` is its destination. */
function signOnActions(code: ErrorCode, { language, prefix, navigatedTo }: Reader) {
  const t = texts[language].refusals;
  const back = backTo({ navigatedTo });
  // An unfinished login can be repeated at the same address once the provider is available again.
  const login = `${prefix}/postern/oidc/login`;
  const again = code === 'sign_on_away' ? '' : login + back;
  const isFault = code === 'sign_on_away' || code === 'sign_on_failed';
  const isOther = !isFault && code !== 'sign_on_unfinished';
  return [
    filled`<a class="first" href="${again}">${t.again}</a>`,
    // A user who is still signed in at the provider would come back as the same one.
    ...(isOther ? [filled`<a href="${login}?another${back.replace('?', '&')}">${t.logInAsOther}</a>`] : []),
    ...(isFault
      ? [filled`<a href="${prefix}/login?local${back.replace('?', '&')}">${t.logInLocally}</a>`]
      : []),
  ];
}

/** More would have to be read before one is chosen. */
const mostShown = 2;

/** A few actions are shown; what else there is stands with the details. */
function actions(
  page: RefusalPage,
  reader: Reader,
): { readonly shown: readonly Html[]; readonly more: readonly Html[] } {
  const { status, code, identity, camera } = page;
  const { language, prefix, loginUrl, logoutUrl, navigatedTo, mayAsk } = reader;
  if (code.startsWith('sign_on_')) return { shown: signOnActions(code, reader), more: [] };
  const t = texts[language].refusals;
  const back = backTo(reader);
  const isTransient = status === 429 || status >= 500;
  // The account page is the only page of the gate that is always open.
  const isOutside = closedForNow.has(code);
  const isDisplay = identity?.source === 'display';
  const shown: Html[] = [];
  const show = (href: string, words: string, more: Html | '' = '') =>
    shown.push(
      filled`<a${shown.length === 0 ? filled` class="first"` : ''} href="${href}"${more}>${words}</a>`,
    );
  // The page's own address, so that nothing has to be repeated.
  if ((isTransient || isOutside) && navigatedTo !== undefined) show('', t.again);
  const canLogIn = status === 401 || code === 'session_not_ended';
  if (canLogIn && loginUrl !== undefined && !isDisplay) show(loginUrl + back, t.logIn);
  if (camera !== undefined && mayAsk) {
    const { words, who } = askingOf(identity, t);
    show(
      `${prefix}/postern/ask?camera=${encodeURIComponent(camera)}`,
      fill(words.askFor, { who }),
      filled` data-requests="${prefix}/postern/api/access-requests" data-camera="${camera}" data-asked="${fill(words.askedFor, { who })}"`,
    );
  }
  // Every other page is closed to a screen.
  if (isDisplay) show(`${prefix}/postern/wall`, t.wall);
  else if (isOutside) show(`${prefix}/postern/account`, t.account);
  else show(`${prefix}/postern/`, t.home);
  if (isDisplay && (code === 'forbidden' || canLogIn) && loginUrl !== undefined)
    show(loginUrl + back, t.logIn);
  const more: Html[] = [];
  // Signing in as someone else would not help where everyone waits.
  if (identity?.source === 'session' && !isTransient) more.push(departure(prefix, back, t));
  if (identity?.source === 'proxy' && !isTransient && logoutUrl !== undefined)
    more.push(filled`<p><a href="${logoutUrl}">${t.logOut}</a></p>`);
  return { shown: shown.slice(0, mostShown), more };
}

/** Forms, because a browser could prefetch a link that ends a session. */
function departure(prefix: string, back: string, t: RefusalTexts) {
  const other = filled`<button formaction="${prefix}/logout${back}">${t.logInAsOther}</button>`;
  return filled`<form method="post" action="${prefix}/logout">${back === '' ? '' : other}<button>${t.logOut}</button></form>`;
}

// Browsers and proxies limit the length of addresses.
const longestReturn = 2_048;

/** @returns the query with which a login returns here; empty if that is not possible */
export function backTo({ navigatedTo }: Pick<Reader, 'navigatedTo'>): string {
  if (navigatedTo === undefined || navigatedTo.length > longestReturn) return '';
  // A request for the login with a trailing slash has no other destination.
  const login = /^\/login\/+(\?.*)?$/s.exec(navigatedTo);
  return login === null ? `?next=${encodeURIComponent(navigatedTo)}` : (login[1] ?? '');
}

function contactLink(contact: string) {
  const { href, text } = readContact(contact);
  return href === undefined ? filled`<bdi>${text}</bdi>` : filled`<a href="${href}" dir="auto">${text}</a>`;
}

function textOf({ code, status, identity }: RefusalPage): keyof RefusalTexts['texts'] {
  const known = texts.en.refusals.texts;
  if (code === 'forbidden' && identity?.source === 'display') return 'screen';
  if (code in known) return code as keyof typeof known;
  return status === 503 ? 'unavailable' : 'other';
}
