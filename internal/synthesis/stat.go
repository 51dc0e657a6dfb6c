// SPDX-License-Identifier: Apache-2.0

package synthesis

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/hcgen/hcgen/internal/fpga"
)

// Lines of the statistics of Yosys: a type of cells and their number; newer versions print the number first, and an area behind it.
var (
	typeFirst   = regexp.MustCompile(`^ +([$\\A-Z]\S*) +(\d+)$`)
	numberFirst = regexp.MustCompile(`^ +(\d+) +(?:[-+0-9.eE]+ +)?([$\\A-Z]\S*)$`)
)

// Stat counts the cells in statistics of Yosys by their type. The last section counts, which is about the whole design.
func Stat(text string) (map[string]int, error) {
	at := strings.LastIndex("\n"+text, "\n=== ")
	if at < 0 {
		return nil, fmt.Errorf("the statistics of Yosys have no module:\n%s", text)
	}
	cells := map[string]int{}
	for line := range strings.Lines(text[at:]) {
		line = strings.TrimRight(line, "\n")
		kind, number := "", ""
		if found := typeFirst.FindStringSubmatch(line); found != nil {
			kind, number = found[1], found[2]
		} else if found := numberFirst.FindStringSubmatch(line); found != nil {
			kind, number = found[2], found[1]
		} else {
			continue
		}
		n, err := strconv.Atoi(number)
		if err != nil {
			return nil, err
		}
		cells[kind] += n
	}
	return cells, nil
}

// Count sums the cells whose types begin with a prefix.
func Count(cells map[string]int, prefix string) (sum int) {
	for kind, n := range cells {
		if strings.HasPrefix(kind, prefix) {
			sum += n
		}
	}
	return sum
}

// readCells reads the cells of a design.
func readCells(family *fpga.Family, file string) (Cells, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return Cells{}, err
	}
	all, err := Stat(string(text))
	if err != nil {
		return Cells{}, err
	}
	sorted, err := family.Count(all)
	if err != nil {
		return Cells{}, err
	}
	c := Cells{LUT4: sorted.LUT4, FF: sorted.FF, BRAM: sorted.BRAM}
	if c.LUT4 == 0 || c.FF == 0 {
		return c, errors.New("the statistics of Yosys have no LUT4 or no flip-flops")
	}
	return c, nil
}

// Use is how many cells of a kind a design takes of those of a device.
type Use struct {
	Kind      string `json:"kind"` // such as ICESTORM_LC, the logic cells
	Used      int    `json:"used"`
	Available int    `json:"available"`
}

// Overflow is the error of a design that does not fit on the device.
type Overflow struct{ Use }

func (e *Overflow) Error() string {
	return fmt.Sprintf("it does not fit on the device: it takes %d of %d %s", e.Used, e.Available, e.Kind)
}

var useLine = regexp.MustCompile(`(?m)^Info:\s+(\w+): +(\d+)/ *(\d+) +\d+%$`)

// uses reads the use of the device from a log of nextpnr.
func uses(log string) (all []Use) {
	for _, found := range useLine.FindAllStringSubmatch(log, -1) {
		used, _ := strconv.Atoi(found[2]) // digits
		available, _ := strconv.Atoi(found[3])
		all = append(all, Use{found[1], used, available})
	}
	return all
}
