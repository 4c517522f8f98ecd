import { type ReactNode, useId } from "react";
import textField from "../components/text-field.module.css";
import classes from "./sign-in.module.css";

/** A labelled input with its error; `children` are placed inside it, at its end. */
export function Field({
  label,
  name,
  value,
  onChange,
  fault,
  children,
  ...input
}: {
  label: string;
  /** The name in the form's values. */
  name: string;
  value: string;
  onChange: (value: string) => void;
  fault: string | undefined;
  type: string;
  autoComplete: string;
  autoFocus?: boolean;
  children?: ReactNode;
}) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className={classes.label}>
        {label}
      </label>
      <div className={classes.box}>
        <input
          {...input}
          id={id}
          data-field={name}
          className={children ? `${textField.field} ${classes.withButton}` : textField.field}
          value={value}
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault && `${id}-fault`}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        {children}
      </div>
      {fault && (
        <p id={`${id}-fault`} className={classes.fault}>
          {fault}
        </p>
      )}
    </div>
  );
}
