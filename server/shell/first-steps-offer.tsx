import { pages } from '../../shared/urls.ts';
import { FIRST_STEPS } from '../services/first-steps.ts';

/** Where the first sign-in leads an administrator shows the way to what a new firm sets up. */
export const FirstStepsOffer = ({ left }: { left: number }) => (
  <p>
    {FIRST_STEPS.length - left} de {FIRST_STEPS.length} pasos hechos.{' '}
    <a href={pages.firstSteps}>Ver los pasos</a>
  </p>
);
