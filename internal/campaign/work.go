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
	"strconv"
	"syscall"
	"time"
)

// Work does one unit, in the process that an engine has started. arguments are those that Run appended to the
// command. do gets the input of the unit and returns its result, which is marshalled as JSON. Its context
// ends when a signal asks the process to end. Work writes the result, or why there is none, and then returns
// an error.
func Work(ctx context.Context, arguments []string, do func(ctx context.Context, input json.RawMessage) (any, error)) error {
	if len(arguments) != 3 {
		return fmt.Errorf("a unit has 3 arguments: the folder, a list and a number, but got %q", arguments)
	}
	folder := folder(arguments[0])
	list, err := folder.readList(arguments[1])
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(arguments[2])
	if err != nil || number < 0 || number >= len(list.Units) {
		return fmt.Errorf("%q is no unit of the %d of list %s", arguments[2], len(list.Units), arguments[1])
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	unit := list.Units[number]
	start := time.Now()
	var result any
	if err = list.sameProgram(); err == nil {
		result, err = do(ctx, unit.Input)
	}
	if err == nil {
		err = finish(folder, list, unit, start, result)
	}
	if err == nil {
		return nil
	}
	failure := Failure{Unit: unit.Name, State: Failed, Reason: err.Error()}
	if ctx.Err() != nil {
		failure.State, failure.Reason = Stopped, "a signal asked it to end"
	}
	return errors.Join(err, folder.writeFailure(failure))
}

// sameProgram returns an error if results follow from the program and this is another one: it was built again while
// units were waiting.
func (l *list) sameProgram() error {
	want, ok := l.Versions["program"]
	if !ok {
		return nil
	}
	program, err := Program()
	if err == nil && program != want {
		err = errors.New("the program is not the one that began the campaign: it was built again")
	}
	return err
}

// finish writes the result of a unit.
func finish(folder folder, l *list, unit listed, start time.Time, result any) error {
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	return folder.writeResult(Result{
		Kind: l.Kind, Unit: unit.Name, Versions: l.Versions, Input: unit.Input,
		Seconds: time.Since(start).Round(time.Millisecond).Seconds(), Result: text,
	})
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
