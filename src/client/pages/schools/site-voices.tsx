import type { Voice as Quoted } from '../../../contract/voices.ts';
import { Voice } from '../../components/school/voice.tsx';

/** New quotes of several schools; nothing where there are none. */
export function SiteVoices({ voices, className }: { voices: readonly Quoted[]; className: string }) {
  if (voices.length === 0) return null;
  return (
    <section aria-labelledby="voices-title" className={className}>
      <h2 id="voices-title" className="text-xl">
        What people say
      </h2>
      <div className="mt-4 grid items-start gap-x-12 gap-y-8 lg:grid-cols-3">
        {voices.map((voice) => (
          <Voice key={voice.reviewId} voice={voice} about={`${voice.entryName}, ${voice.schoolName}`} />
        ))}
      </div>
    </section>
  );
}
