import { houseName } from './house.ts';

/** The mark, and the name of the house. */
export function Brand() {
  return (
    <>
      <Mark />
      <strong>{houseName}</strong>
    </>
  );
}

export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 28" aria-hidden="true">
      <path class="arch" d="M1 27V12a11 11 0 0 1 22 0v15z" />
      <path class="way" d="M6.5 27V12.5a5.5 5.5 0 0 1 11 0V27z" />
      <circle class="lamp" cx="12" cy="17" r="2.3" />
    </svg>
  );
}
