import { request as httpRequest } from 'node:http';
import { Command } from 'commander';
import * as v from 'valibot';
import { loadConfiguration } from '../config/load.ts';
import type { ListenAddress } from '../config/listen.ts';
import type { CommandContext } from './frame/command.ts';
import { print } from './frame/output.ts';

interface ExplainOptions {
  readonly user?: string;
  readonly role?: string;
  readonly edge: string;
  readonly header: readonly string[];
  readonly decision?: string;
  readonly narrows?: boolean;
}

interface Explanation {
  readonly verdict: string;
  readonly reason: string;
  readonly steps: ReadonlyArray<{ readonly step: string; readonly says: string }>;
}

export function explainCommand(context: CommandContext): Command {
  return new Command('explain')
    .description('shows what the running gate decides about a request, and why; exits with 1 if it refuses')
    .argument('[method]', 'such as GET')
    .argument('[uri]', 'path and query')
    .option('--user <name>', 'as this user of the accounts')
    .option('--role <role>', 'as a user with this role')
    .option('--header <line>', 'with this header, "Name: value"; can be repeated', collect, [])
    .option('--edge <edge>', 'authenticated or internal', 'authenticated')
    .option(
      '--narrows',
      'by a front that narrows queries of lists; without a word, if there is the embedded one',
    )
    .option('--no-narrows', 'by a front that does not')
    .option('--decision <id>', 'about a decision that was made: x-postern-decision, or decision in the log')
    .action(async (method: string | undefined, uri: string | undefined, options: ExplainOptions) => {
      const { configuration } = loadConfiguration(context.environment, context.root);
      const { forwardAuthInternal, internal } = configuration.listen;
      const address = forwardAuthInternal ?? internal;
      if (address === undefined)
        throw new Error(
          'Postern has no internal listener that could be asked: set networking.forward_auth.internal to unix:/path of a socket',
        );
      const answer = await ask(address, question(method, uri, options));
      for (const { step, says } of answer.steps) print(`${step.padEnd(9)} ${says}`);
      if (answer.verdict !== 'allow') process.exitCode = 1;
    });
}

function collect(line: string, lines: readonly string[]): readonly string[] {
  return [...lines, line];
}

function question(method: string | undefined, uri: string | undefined, options: ExplainOptions): object {
  const { decision, user, role, edge, header, narrows } = options;
  if (decision !== undefined) return { decision };
  if (method === undefined || uri === undefined)
    throw new Error('a method and a URI, or --decision, are needed');
  const headers = header.map((line) => {
    const colon = line.indexOf(':');
    if (colon < 1) throw new Error('a header has the form "Name: value"');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return {
    method,
    uri,
    edge,
    headers,
    ...(user === undefined ? {} : { user }),
    ...(role === undefined ? {} : { role }),
    ...(narrows === undefined ? {} : { narrows }),
  };
}

/** The message of an error of the API. */
function complaintOf(answer: string): string | undefined {
  const message = v.object({ message: v.string() });
  const detail = v.object({ detail: v.array(v.object({ loc: v.array(v.string()), msg: v.string() })) });
  try {
    const error = v.parse(v.union([detail, message]), JSON.parse(answer));
    if ('message' in error) return error.message;
    return error.detail.map(({ loc, msg }) => `${loc.at(-1)}: ${msg}`).join('; ');
  } catch {
    return undefined;
  }
}

async function ask(address: ListenAddress, body: object): Promise<Explanation> {
  const where =
    'path' in address
      ? { socketPath: address.path }
      : { host: address.host ?? '127.0.0.1', port: address.port };
  const text = await new Promise<string>((resolve, reject) => {
    const headers = { host: 'localhost', 'content-type': 'application/json' };
    const asking = httpRequest(
      { ...where, method: 'POST', path: '/postern/api/explain', headers },
      (response) => {
        let received = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (received += chunk));
        response.on('end', () => {
          if (response.statusCode === 200) resolve(received);
          else
            reject(new Error(complaintOf(received) ?? `Postern answers ${response.statusCode}: ${received}`));
        });
      },
    );
    asking.on('error', (cause) => reject(new Error('Postern does not answer: is it running?', { cause })));
    asking.end(JSON.stringify(body));
  });
  return JSON.parse(text) as Explanation;
}
