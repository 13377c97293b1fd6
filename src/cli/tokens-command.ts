import { Command, InvalidArgumentError } from 'commander';
import * as v from 'valibot';
import { systemClock } from '../clock.ts';
import { listedApiToken, type ListedApiToken } from '../api-tokens/listed-api-token.ts';
import { createApiTokenUses, type ApiTokenUse } from '../api-tokens/api-token-uses.ts';
import { apiTokenName, createApiTokens, longestLife, type ApiTokens } from '../api-tokens/api-tokens.ts';
import { createUsers, type Users } from '../accounts/users.ts';
import { isWithinOwner, scopeProblem } from '../policy/token-scope.ts';
import { AppError } from '../errors.ts';
import { unconditional } from '../store/permit.ts';
import type { Activity } from '../store/store.ts';
import type { CommandContext } from './context.ts';
import { localTime } from './local-time.ts';
import { onActivity } from './on-activity.ts';
import { onStore, type StoreWork } from './on-store.ts';

interface Tokens extends Omit<StoreWork, 'store'> {
  readonly apiTokens: ApiTokens;
  readonly users: Users;
}

interface AddOptions {
  readonly role?: string;
  readonly cameras?: readonly string[];
  readonly expiresIn?: number;
}

export function tokensCommand(context: CommandContext): Command {
  const withTokens = (work: (tokens: Tokens) => Promise<void>) =>
    onStore(context, ({ store, ...others }) =>
      work({
        // Every look asks the store.
        apiTokens: createApiTokens(store, systemClock, () => Number.NaN),
        users: createUsers(store, systemClock),
        ...others,
      }),
    );
  const command = (name: string, description: string) => new Command(name).description(description);

  return command('tokens', 'manages the API tokens')
    .addCommand(
      command('list', 'lists the API tokens: id, user, name, role, until when, last use')
        .option('--user <name>', 'of this user only')
        .option('--json', 'prints one JSON object a line')
        .action((options: { user?: string; json?: true }) =>
          withTokens((tokens) => list(tokens, options.user, options.json === true)),
        ),
    )
    .addCommand(
      command('add', 'makes an API token; the token alone goes to standard output, this once')
        .argument('<user>')
        .argument('<name>', 'what it is for', parseName)
        .option(
          '--role <role>',
          'not wider than the role of its user; without it viewer, or what its user is',
        )
        .option('--cameras <names>', 'limits the token to cameras, with commas between them', parseCameras)
        .option('--expires-in <time>', 'days or hours, such as 90d or 12h; without it never', parseLife)
        .action((user: string, name: string, options: AddOptions) =>
          withTokens((tokens) => add(tokens, user, name, options)),
        ),
    )
    .addCommand(
      command('revoke', 'ends an API token')
        .argument('<id>', 'as the list says')
        .action((id: string) =>
          withTokens(async ({ apiTokens, record, say }) => {
            const found = await apiTokens.find(id);
            if (found === undefined || !(await apiTokens.revoke(id, unconditional)))
              throw new Error('There is no such API token: postern tokens list shows their ids');
            record({
              event: 'api_token_revoked',
              object: found.name,
              detail: { id, owner: found.owner },
            });
            say(`revoked ${found.name} of ${found.owner}`);
          }),
        ),
    );
}

async function list(
  { apiTokens, users, configuration, keeping, say }: Tokens,
  user: string | undefined,
  asJson: boolean,
): Promise<void> {
  if (user !== undefined && (await users.find(user)) === undefined) throw new AppError('user_unknown');
  const uses = await onActivity(keeping, usesIn).catch((error: unknown) => {
    say(`the last uses cannot be read: ${String(error)}`, 'stderr');
    return new Map<string, ApiTokenUse>();
  });
  const listed = (await apiTokens.list(user)).map((apiToken) =>
    listedApiToken(
      apiToken,
      uses.get(apiToken.id),
      systemClock.now(),
      configuration.auth.roles,
      configuration.auth.roleWindows,
    ),
  );
  for (const apiToken of listed) say(asJson ? JSON.stringify(apiToken) : lineOf(apiToken));
}

const remarks = { good: [], expired: ['EXPIRED'], too_wide: ['REFUSED: wider than its owner'] };

function lineOf(listed: ListedApiToken): string {
  const { id, username, name, role, cameras, expires_at: expiresAt, last_used_at: usedAt, state } = listed;
  const from = listed.last_used_from === null ? '' : ` from ${listed.last_used_from}`;
  return [
    id,
    username,
    name,
    cameras === null ? role : `${role}: ${cameras.join(',')}`,
    expiresAt === null ? 'does not expire' : `expires ${localTime(expiresAt * 1000)}`,
    usedAt === null ? 'never used' : `used ${localTime(usedAt * 1000)}${from}`,
    ...remarks[state],
  ].join('\t');
}

async function add(
  { apiTokens, users, configuration, record, say }: Tokens,
  owner: string,
  name: string,
  options: AddOptions,
): Promise<void> {
  const user = await users.find(owner);
  if (user === undefined) throw new AppError('user_unknown');
  const { roles, roleWindows } = configuration.auth;
  const viewer = { role: 'viewer', cameras: undefined };
  const role = options.role ?? (isWithinOwner(viewer, user.role, roles, roleWindows) ? 'viewer' : user.role);
  const cameras = options.cameras === undefined ? undefined : new Set(options.cameras);
  const problem = scopeProblem({ role, cameras }, user.role, roles, roleWindows, configuration.cameras);
  if (problem !== undefined) throw new Error(problem.message);
  const expiresAt = options.expiresIn === undefined ? undefined : systemClock.now() + options.expiresIn;
  const { token, apiToken } = await apiTokens.add({ owner, name, role, cameras, expiresAt }, unconditional);
  record({ event: 'api_token_created', object: name, detail: { id: apiToken.id, owner, role } });
  const until = expiresAt === undefined ? 'it does not expire' : `it expires ${localTime(expiresAt)}`;
  say(`made ${apiToken.id} for ${owner} as ${role}; ${until}. The token is not shown again:`, 'stderr');
  say(token);
}

async function usesIn(activity: Activity): Promise<ReadonlyMap<string, ApiTokenUse>> {
  const uses = createApiTokenUses(activity, { clock: systemClock, onError: () => undefined });
  try {
    return await uses.list();
  } finally {
    await uses.close();
  }
}

function parseName(name: string): string {
  const parsed = v.safeParse(apiTokenName, name);
  if (!parsed.success) throw new InvalidArgumentError(parsed.issues[0].message);
  return parsed.output;
}

function parseCameras(names: string): string[] {
  const cameras = names.split(',').map((name) => name.trim());
  if (cameras.includes('')) throw new InvalidArgumentError('Names of cameras, with commas between them');
  return cameras;
}

/** Milliseconds. */
const units = { h: 3_600_000, d: 86_400_000 };

/** @returns milliseconds */
function parseLife(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([hd])$/.exec(text) ?? [];
  const life = Number(count) * units[unit as 'h' | 'd'];
  if (count === undefined || life > longestLife * units.d)
    throw new InvalidArgumentError(`Hours or days, such as 12h or 90d; at most ${longestLife}d`);
  return life;
}
