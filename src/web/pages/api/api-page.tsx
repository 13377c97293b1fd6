import { readOpenapi, type OpenapiOperation } from '../../api-client.ts';
import { Facts } from '../../ui/facts.tsx';
import { LoadFailure, Loading } from '../../ui/notices.tsx';
import { gatePath } from '../../path-prefix.ts';
import { text } from '../../text.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import { usePageTitle } from '../../ui/use-page-title.ts';
import { withCode } from '../../ui/words.tsx';

interface Described {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenapiOperation;
}

async function loadOperations(): Promise<ReadonlyMap<string, readonly Described[]>> {
  const { paths } = await readOpenapi();
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return Map.groupBy(described, ({ operation }) => operation.tags[0] ?? '');
}

/** The gate's API, from its own description. */
export function ApiPage() {
  usePageTitle(text.api.title);
  const [state, reload] = useLoaded(loadOperations);
  return (
    <>
      <h1>{text.api.title}</h1>
      <p>
        {withCode(text.api.intro)}{' '}
        <a href={gatePath('/api/openapi.json')} target="_blank" rel="noopener">
          <code>openapi.json</code>
        </a>
        .
      </p>
      {state.kind === 'loading' && <Loading what={text.api.what} />}
      {state.kind === 'failed' && <LoadFailure what={text.api.what} error={state.error} onRetry={reload} />}
      {state.kind === 'loaded' &&
        [...state.value].map(([tag, operations]) => (
          <section key={tag} aria-labelledby={`tag-${tag}`}>
            <h2 id={`tag-${tag}`}>{tag}</h2>
            {operations.map((described) => (
              <OperationDetails key={`${described.method} ${described.path}`} {...described} />
            ))}
          </section>
        ))}
    </>
  );
}

function OperationDetails({ method, path, operation }: Described) {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const example = requestBody?.content['application/json'].example;
  return (
    <details class="operation">
      <summary>
        <code>
          <strong>{method}</strong> {path}
        </code>{' '}
        {summary}
      </summary>
      {description !== undefined && <p>{withCode(description)}</p>}
      {parameters.length > 0 && (
        <>
          <h3>{text.api.parameters}</h3>
          <Facts
            code
            facts={parameters.map(({ name, required, description }) => [
              name,
              withCode(required ? description : `${description} ${text.api.optional}`),
            ])}
          />
        </>
      )}
      {example !== undefined && (
        <>
          <h3>{text.api.body}</h3>
          <pre tabIndex={0}>
            <code>{JSON.stringify(example, undefined, 2)}</code>
          </pre>
        </>
      )}
      <h3>{text.api.answers}</h3>
      <Facts
        code
        facts={Object.entries(responses).map(([status, { description }]) => [status, withCode(description)])}
      />
    </details>
  );
}
