import { useNavigate } from 'react-router';
import { PAGES } from '../../../contract/pages.ts';
import { Button } from '../../components/button.tsx';
import { prefetchPage } from '../../prefetch.ts';
import campus from './campus.svg';

export function Component() {
  const navigate = useNavigate();
  return (
    <section className="relative isolate min-h-dvh grow overflow-hidden bg-night text-on-night">
      <img src={campus} alt="" className="absolute inset-0 -z-10 size-full object-cover object-bottom" />
      <div className="landing-shade absolute inset-0 -z-10" />
      <div className="page grid justify-items-center gap-6 pt-[12vh] pb-16 text-center">
        <h1 tabIndex={-1} className="max-w-3xl text-3xl">
          Discover schools worldwide
        </h1>
        <p className="max-w-2xl text-lg">
          Find schools anywhere in the world, read what life there is really like, and share your own experience of it.
        </p>
        <Button
          className="button-on-night px-8 text-lg"
          onPointerEnter={() => prefetchPage(PAGES.dashboard.path)}
          onClick={() => void navigate(PAGES.dashboard.path)}
        >
          Get Started
        </Button>
      </div>
    </section>
  );
}
