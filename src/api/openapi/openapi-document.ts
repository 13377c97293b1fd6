import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { version } from '../../version.ts';
import type { AnswerDescription, Audience, Endpoint, ForeignEndpoint, Operation } from '../endpoint.ts';
import { eventEndpoints } from '../endpoints.ts';
import type { EndpointLists } from '../own-paths.ts';

/** The parts of a schema that readers of the document need. */
type Schema = Pick<JsonSchema, 'type' | 'description' | 'default'> & Record<string, unknown>;

const security: Readonly<Record<Audience, readonly object[] | undefined>> = {
  anyone: [],
  'any user': undefined,
  admin: undefined,
};

/** @returns the OpenAPI 3.1 document of operations */
export function openapiDocument(operations: readonly Operation[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method] = operationObject(operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Postern',
      version,
      summary: 'Accounts, decisions and events of a gate in front of a camera recorder',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '../..', description: 'Postern that this document came from' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ cookie: [] }, { bearer: [] }, { basic: [] }],
    paths,
    components: { schemas: sharedSchemas, securitySchemes },
  };
}

const securitySchemes = {
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session_token',
    description: 'The session token of a login; `auth.cookie_name` may name another cookie.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'A session token, or an API token.' },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'An API token as the password, with the name of its owner, or `token`. Only over TLS.',
  },
};

const text = { type: 'string' };
const sharedSchemas = {
  Error: {
    type: 'object',
    properties: { message: text, code: text },
    required: ['message', 'code'],
    additionalProperties: false,
  },
  ValidationError: {
    type: 'object',
    properties: {
      message: text,
      detail: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            loc: { type: 'array', items: { type: ['string', 'integer'] } },
            msg: text,
            type: text,
          },
          required: ['loc', 'msg', 'type'],
        },
      },
    },
    required: ['message', 'detail'],
    additionalProperties: false,
  },
};

/** Meanings of the answers that many operations share. */
const commonAnswers = {
  401: 'Not signed in; `Location` is the login page. Programs, but no browsers, are asked for a password by `WWW-Authenticate`: an API token.',
  403: 'Your role may not do this, or the request is cross-site.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The path, the query or the body is not valid; the answer lists every problem.',
};

function operationObject(operation: Operation) {
  const { path, method, tag, operationId, summary, description, audience, body, bodyExample } = operation;
  const audienceNote = { anyone: '', 'any user': '', admin: 'For admins.' }[audience];
  const notes = [audienceNote, description].filter((note) => note !== undefined && note !== '');
  return {
    operationId:
      operationId ??
      `${method}_${path
        .replace('/postern/', '/')
        .replaceAll(/[^a-z]+/g, '_')
        .replaceAll(/^_|_$/g, '')}`,
    tags: [tag],
    summary,
    ...(notes.length > 0 ? { description: notes.join(' ') } : {}),
    ...(security[audience] === undefined ? {} : { security: security[audience] }),
    ...(parametersOf(operation).length > 0 ? { parameters: parametersOf(operation) } : {}),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: schemaOf(body), example: bodyExample },
            },
          },
        }),
    responses: responsesOf(operation),
  };
}

function parametersOf({ pathParameters, pathForms, query, queryParameters }: Operation): object[] {
  const inPath = Object.entries(pathParameters ?? {}).map(([name, meaning]) => ({
    name,
    in: 'path',
    required: true,
    description: meaning,
    schema: pathForms?.[name] === undefined ? text : schemaOf(pathForms[name]),
  }));
  if (query === undefined) return inPath;
  const { properties = {}, required = [] } = schemaOf(query);
  const inQuery = Object.entries(properties).map(([name, schema]) => {
    const meaning = queryParameters?.[name];
    if (meaning === undefined) throw new Error(`the parameter ${name} has no meaning`);
    const isRequired = required.includes(name);
    return queryParameter({ name, in: 'query', required: isRequired, description: meaning }, schema);
  });
  return [...inPath, ...inQuery];
}

function queryParameter(said: object, schema: Schema): object {
  // A list is one text, separated by commas.
  const style = schema.type === 'array' ? { style: 'form', explode: false } : {};
  return { ...said, ...style, schema: withTypedDefault(schema) };
}

/** Defaults in a query are texts. */
function withTypedDefault(schema: Schema): Schema {
  const isTyped = schema.type === 'integer' && schema.default !== undefined;
  return isTyped ? { ...schema, default: Number(schema.default) } : schema;
}

function responsesOf({ answers, audience, body, pathParameters, query }: Operation) {
  const said = Object.entries(answers).map(([status, answer]) => [
    status,
    responseOf(Number(status), answer),
  ]);
  const common = [
    ...(audience === 'anyone' ? [] : [401, 403]),
    ...(body === undefined ? [] : [413, 415]),
    ...((body ?? pathParameters ?? query) === undefined ? [] : [422]),
  ] as Array<keyof typeof commonAnswers>;
  const added = common
    .filter((status) => answers[status] === undefined)
    .map((status) => [status, responseOf(status, { meaning: commonAnswers[status] })]);
  return Object.fromEntries([...said, ...added]) as Record<string, unknown>;
}

function responseOf(status: number, { meaning, body }: AnswerDescription) {
  const error = status === 422 ? 'ValidationError' : 'Error';
  const schema =
    body === undefined
      ? status >= 400
        ? { $ref: `#/components/schemas/${error}` }
        : undefined
      : schemaOf(body);
  return {
    description: meaning,
    ...(schema === undefined ? {} : { content: { 'application/json': { schema } } }),
  };
}

function withoutUndefined(schema: object): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

/** The form that clients send or get, before the schema transforms it. */
function schemaOf(schema: GenericSchema): JsonSchema & { properties?: Record<string, Schema> } {
  const { $schema: _, ...converted } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    errorMode: 'ignore',
    overrideAction: ({ valibotAction, jsonSchema }) => {
      const { kind, type, message } = valibotAction as { kind: string; type: string; message?: unknown };
      // JSON Schema repeats in its own words what the endpoint checks, and may be less strict.
      if (type === 'metadata') return withoutUndefined(jsonSchema);
      // Checks without an equivalent in JSON Schema are described by their error message.
      const isDescribed = kind === 'validation' && ['check', 'max_bytes', 'every_item'].includes(type);
      if (!isDescribed || typeof message !== 'string') return undefined;
      const parts = [jsonSchema.description, `${message}.`].filter((part) => part !== undefined);
      return { ...jsonSchema, description: parts.join(' ') };
    },
  });
  return converted as JsonSchema & { properties?: Record<string, Schema> };
}

const audiences: Readonly<Record<Endpoint['level'], Audience>> = {
  public: 'anyone',
  'own-account': 'any user',
  any: 'any user',
  'camera-in-path': 'any user',
  'admin-only': 'admin',
};

function operationOf({ path, level, audience = audiences[level], ...described }: ForeignEndpoint): Operation {
  return { ...described, path: path.replaceAll(/:(\w+)/g, '{$1}'), audience };
}

/** @returns everything in the document, in its order */
export function operationsOf({ open, guarded }: EndpointLists): readonly Operation[] {
  const documented = [...open, ...guarded].filter((endpoint) => 'summary' in endpoint);
  return [...(documented as readonly ForeignEndpoint[]), ...eventEndpoints].map(operationOf);
}
