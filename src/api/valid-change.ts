import { ConfigurationError } from '../config/problem.ts';
import { invalid } from '../http/validation.ts';

/**
 * @param partOf the field of the body that a problem is about
 * @returns what the change returned. @throws ValidationError for what config.yml could not have
 */
export async function validChange<T>(
  changed: Promise<T>,
  partOf: (error: ConfigurationError) => string,
): Promise<T> {
  try {
    return await changed;
  } catch (error) {
    if (error instanceof ConfigurationError) throw invalid(['body', partOf(error)], error.message);
    throw error;
  }
}
