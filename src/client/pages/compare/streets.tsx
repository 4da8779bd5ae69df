import { type Light, Windows } from '../../components/school/windows.tsx';

/**
 * A picture of a comparison: the windows of two schools.
 * @param lights those of the first school; the second, which is still to be chosen, is dark
 */
export function Streets({ lights = [] }: { lights?: readonly Light[] }) {
  return (
    <div
      aria-hidden="true"
      className="no-print grid gap-6 rounded-lg bg-night p-4 text-accent sm:gap-20 sm:px-10 sm:py-24"
    >
      <Windows lights={lights} className="w-full" />
      <Windows lights={[]} className="w-full" />
    </div>
  );
}
