import type { RequestListener } from 'node:http';
import type { Answer } from '../../errors.ts';
import type { Refused } from '../../policy/decision.ts';
import type { PassingDependencies } from './reverse-proxy.ts';
import type { PassedHeaders } from './upstream-headers.ts';

/** How media of shares are passed on. */
export interface SharedMedia {
  /** Whether a request target is for media of a share. */
  readonly isTarget: (target: string) => boolean;
  readonly serve: (current: () => PassingDependencies) => RequestListener;
  readonly headers: PassedHeaders;
  readonly refusal: (
    refused: Refused,
    decision: string,
    error: unknown,
    errorAnswer: (error: unknown) => Answer,
  ) => Answer;
}
