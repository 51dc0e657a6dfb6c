// SPDX-License-Identifier: Apache-2.0

package synthesis

import (
	"context"
	"errors"

	"github.com/hcgen/hcgen/machine"
	"github.com/hcgen/hcgen/schedule"
)

// Task is the input of a unit of a campaign that synthesizes a design.
type Task struct {
	Description string // of the machine, in HCL
	Collective  string `json:",omitempty"` // the network whose node is synthesized; empty: the router
	Files       string // hash of the design
	Options     Options
}

// Measured is the result of a task.
type Measured struct {
	Result
	Overflow *Use `json:"overflow,omitempty"` // of the device, if the design does not fit; only the cells are known then
}

// NewTask is the task for the router of a machine, or for the node of a collective network.
func NewTask(m *machine.Machine, collective string, o Options) (*Task, error) {
	t := &Task{Description: string(m.HCL()), Collective: collective, Options: o}
	d, err := t.design()
	if err != nil {
		return nil, err
	}
	t.Files = d.Hash()
	return t, nil
}

// design generates the design.
func (t *Task) design() (*Design, error) {
	m, _, diags := machine.LoadBytes("machine.hcl", []byte(t.Description), nil, machine.WithSchedules(schedule.LoadFile, schedule.Messages))
	if diags.HasErrors() {
		return nil, diags
	}
	if t.Collective == "" {
		return Router(m)
	}
	return Node(m, t.Collective)
}

// Do does the task.
func (t *Task) Do(ctx context.Context) (Measured, error) {
	d, err := t.design()
	if err != nil {
		return Measured{}, err
	}
	if d.Hash() != t.Files {
		return Measured{}, errors.New("this program generates other files than the one that has started the campaign")
	}
	return d.Measure(ctx, t.Options)
}

// Measure runs the script. That the design does not fit is no error.
func (d *Design) Measure(ctx context.Context, o Options) (Measured, error) {
	result, err := d.Run(ctx, o)
	if overflow := (*Overflow)(nil); errors.As(err, &overflow) {
		return Measured{result, &overflow.Use}, nil
	}
	return Measured{result, nil}, err
}
