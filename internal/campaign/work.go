// SPDX-License-Identifier: Apache-2.0

package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// request is what the process of a unit reads from standard input.
type request struct {
	Program string          `json:"program,omitempty"` // that the result is to follow from; empty: any
	Input   json.RawMessage `json:"input"`
}

// reply is what the process of a unit writes to standard output.
type reply struct {
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// Work does one unit, in the process that Run has started. do gets the input of the unit and returns its
// result, which is marshalled as JSON. Its context ends when a signal asks the process to end. What do prints
// goes into the log of the unit. The error is why there is no result.
func Work(ctx context.Context, do func(ctx context.Context, input json.RawMessage) (any, error)) error {
	out := os.Stdout
	os.Stdout = os.Stderr
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	result, err := answer(ctx, do)
	left := reply{Result: result}
	if err != nil {
		if ctx.Err() != nil {
			err = errors.New("a signal asked it to end")
		}
		left = reply{Error: err.Error()}
	}
	return errors.Join(err, json.NewEncoder(out).Encode(left))
}

// answer reads the request and does the unit.
func answer(ctx context.Context, do func(ctx context.Context, input json.RawMessage) (any, error)) (json.RawMessage, error) {
	var r request
	if err := json.NewDecoder(os.Stdin).Decode(&r); err != nil {
		return nil, fmt.Errorf("standard input is no unit of a campaign: %w", err)
	}
	if r.Program != "" {
		program, err := Program()
		if err == nil && program != r.Program {
			err = errors.New("the program is not the one that began the campaign: it was built again")
		}
		if err != nil {
			return nil, err
		}
	}
	result, err := do(ctx, r.Input)
	if err != nil {
		return nil, err
	}
	return json.Marshal(result)
}

// Program identifies the program that runs: results of another one do not count for it.
func Program() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(text)), nil
}
