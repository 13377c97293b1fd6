import { median, memory, count, tableText, type Table } from '../report.ts';
import { each, ratioText, type Pace } from '../rounds.ts';
import { isAllowed } from './check.ts';
import type { Figure, Result, Results } from './ask.ts';
import type { Described } from './contestant.ts';
import type { FoundProgram } from './programs.ts';

type Compared = Described & { readonly program?: FoundProgram };

export interface Comparison {
  readonly pace: Pace;
  readonly minutes: string;
  readonly circumstances: string;
  /** By name of the gate and its user. Postern's are the first. */
  readonly results: Results;
  /** The gates, each once. */
  readonly compared: readonly Compared[];
  readonly missing: ReadonlyArray<{ readonly name: string; readonly missing: string }>;
}

export function comparisonPage(comparison: Comparison): string {
  const { pace, minutes, circumstances, results, compared, missing } = comparison;
  return `# Comparison

Written by \`script/compare\`, never by hand. It asks Postern and other forward-auth gateways the same question, side by side in one run of
${minutes} minutes. Compare the ratios: the absolute figures depend on the machine, where the load generator takes its share of the cores.

${circumstances}

${missing.length === 0 ? '' : `${missing.map(missingText).join('\n')}\n\n`}## The question

wrk (32 connections, one thread) sends what nginx sends with \`auth_request\`, with the cookie of a session that began with a password. Each
request names another URL, of those that Frigate's UI asks for. Postern gets the path in \`X-Original-URL\`, the others the full URL, which
Authelia and tinyauth need.

Each gate ran for ${seconds(pace)} in each of ${rounds(pace)}, one after the other, after a round that isn't counted. Figures are medians of
the rounds; a ratio is the median of their ratios, with the least and the greatest. The bare server is a \`node:http\` server that returns
what Postern returned.

${tableText(rates(results))}

- Processor time is that of the gate alone, on all cores. Go programs use every free core, Postern one.
- Memory is what the process holds after the rounds (VmRSS). Logs of single requests are off.
- A session that oauth2-proxy gets from a provider has a longer cookie, which takes longer to decrypt.

## What was checked

Before and after the rounds, each gate allowed the session and refused a request without a cookie and one with a forged cookie. At the end the
user signed out, and the same cookie was sent again.

${tableText(checks(results))}

A cookie that is still accepted after signing out is valid until it expires, for anyone who has a copy.

## What one answer takes

${tableText(work(compared))}

## Versions

${tableText(versions(compared))}

## Configuration

Settings that aren't listed have their defaults. The password is \`one-question-for-all\`: never use it elsewhere.

${compared.map(configurationText).join('\n\n')}

## Repeat it

\`\`\`sh
AUTHELIA=/usr/bin/authelia TINYAUTH=/usr/local/bin/tinyauth script/compare
\`\`\`

\`script/compare\` installs nginx and wrk (Debian), and makes oauth2-proxy with \`go install\`, unless \`OAUTH2_PROXY\` names one. Take Authelia and
tinyauth from their releases. What can't be found is left out, and this page names it. \`script/compare --moment\` shows in half a minute that
each part runs.
`;
}

function missingText({ name, missing }: Comparison['missing'][number]): string {
  return `**${name} is not compared here**: ${missing}.`;
}

function seconds({ seconds }: Pace): string {
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

function rounds({ rounds }: Pace): string {
  return rounds === 1 ? '1 round' : `${rounds} rounds`;
}

function rates({ gates, bare }: Results): Table {
  const [postern = []] = [...gates.values()].map(({ figures }) => each(figures, 'rate'));
  const row = (name: string, figures: readonly Figure[], held: string) => [
    name,
    count(median(each(figures, 'rate'))),
    ratioText(postern, each(figures, 'rate')),
    `${median(each(figures, 'processor')).toFixed(1)} µs`,
    held,
  ];
  return {
    head: ['', 'answers/s', 'Postern / this', 'processor time of an answer', 'memory'],
    rows: [
      ...[...gates].map(([name, result]) => row(name, result.figures, memory(result.memory))),
      row('bare `node:http`', bare, ''),
    ],
  };
}

function checks({ gates }: Results): Table {
  const row = ([name, { answers, signedOut }]: readonly [string, Result]) => [
    name,
    String(answers.session),
    String(answers.none),
    String(answers.forged),
    `${signedOut}${isAllowed(signedOut) ? ', **still accepted**' : ''}`,
  ];
  return {
    head: ['', 'session', 'no cookie', 'forged cookie', 'after signing out'],
    rows: [...gates].map(row),
  };
}

function work(compared: readonly Compared[]): Table {
  return {
    head: ['', 'for one answer', 'what else it does'],
    rows: compared.map(({ name, does, more }) => [name, does, more]),
  };
}

function versions(compared: readonly Compared[]): Table {
  return {
    head: ['', 'version', 'made with'],
    rows: compared.flatMap(({ name, program }) => (program ? [[name, program.version, program.built]] : [])),
  };
}

function configurationText({ name, configuration }: Compared): string {
  const files = configuration.map(
    (file) => `\`${file.name}\`:\n\n\`\`\`${file.language}\n${file.text}\`\`\``,
  );
  return [`### ${name}`, ...files].join('\n\n');
}
