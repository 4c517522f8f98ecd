import { brand } from "../../contract/brand.ts";
import { Estimator } from "../estimator/estimator.tsx";
import { useAddedDevices } from "../estimator/use-added-devices.ts";
import { Guard } from "../portal/guard.tsx";
import { PageTitle } from "../components/page-title.tsx";

export const meta = () => [{ title: `Estimator – ${brand.name}` }];

export default function CustomerEstimator() {
  const isReady = useAddedDevices(null);
  return (
    <Guard to={{ needs: "estimator", mainOnly: true }}>
      <PageTitle
        title="Estimator"
        hint="Count the devices in each group; the proposal comes by e-mail and to My Quotes."
      />
      {isReady && <Estimator />}
    </Guard>
  );
}
