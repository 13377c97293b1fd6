/** The part of oidc-provider that the tests use; it has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { readonly login: { readonly accountId: string } },
    ): Promise<void>;
    readonly Grant: new (of: { readonly accountId: string; readonly clientId: string }) => {
      addOIDCScope(scope: string): void;
      save(): Promise<string>;
    };
  }
}

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  export interface Adapter {
    consume(id: string): Promise<void>;
  }
  export function createMemoryAdapter(): (model: string) => Adapter;
}
