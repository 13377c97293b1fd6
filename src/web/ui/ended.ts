import { ApiFailure, bodyOf } from '../api-client.ts';

/** Waits until something is ended; that it is already gone counts as success. @param call that ends it @throws ApiFailure */
export async function ended(call: Parameters<typeof bodyOf>[0]): Promise<void> {
  try {
    await bodyOf(call);
  } catch (error) {
    if (!(error instanceof ApiFailure && error.status === 404)) throw error;
  }
}
