import { useMemo } from 'preact/hooks';
import { encode } from 'uqr';

/** White modules around the code, which readers need to find its edge (ISO/IEC 18004). */
const border = 4;

export function QrCode({ value, label }: { readonly value: string; readonly label: string }) {
  const { size, data } = useMemo(() => encode(value, { ecc: 'M', border }), [value]);
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      class="qr"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
    >
      <path d={dark.join('')} />
    </svg>
  );
}
